import type { Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { isRecord, listAt, textAt } from "../src/cluster/fields.js";
import { answerOwnCases } from "./own-cases.js";

/** Lines that a person reads before the details of a second cause. */
const maxLines = 15;

function factsOf({ metadata }: Response) {
  return listAt(metadata, "facts").filter(isRecord);
}

describe("answer, facts and sources of every case", () => {
  it("name the same likeliest cause, on the same object", async () => {
    const wrong = (await answerOwnCases()).flatMap(({ one: { id }, response }) => {
      const { answer = "" } = response;
      const [first] = factsOf(response);
      const type = textAt(first, "signal_type");
      const name = textAt(first, "resource_name");
      // A list says what was asked for, and its facts what is wrong with that.
      const isList = response.metadata?.lookup !== undefined;
      if (type === undefined || type === "Healthy" || isList) return [];
      const isSaid = answer.includes(`**${type}**`) && answer.includes(name ?? "\0");
      return isSaid ? [] : [`${id}: ${type} of ${name}`];
    });

    expect(wrong).toEqual([]);
  });

  it("say Healthy in prose only with the fact Healthy, and never beside a finding", async () => {
    const wrong = (await answerOwnCases()).flatMap(({ one: { id }, response }) => {
      const { answer = "" } = response;
      const types = factsOf(response).map((fact) => textAt(fact, "signal_type"));
      const isSaid = /\(Healthy\)/.test(answer);
      return isSaid === types.includes("Healthy") && (!isSaid || types.length === 1) ? [] : [id];
    });

    expect(wrong).toEqual([]);
  });

  it("have the evidence of the first fact among the sources, and causes among the facts", async () => {
    const wrong = (await answerOwnCases()).flatMap(({ one: { id }, response }) => {
      const facts = factsOf(response);
      const [first] = facts;
      const names = new Set(response.sources?.map(({ name }) => name));
      const unsourced = listAt(first, "evidence")
        .slice(0, 5)
        .flatMap((one) => textAt(one, "source") ?? [])
        .filter((source) => !names.has(source));
      const known = new Set(
        facts.map((fact) => `${textAt(fact, "signal_type")} ${textAt(fact, "target_resource")}`),
      );
      const dangling = facts
        .map((fact) => fact.caused_by)
        .filter(isRecord)
        .map((cause) => `${textAt(cause, "signal_type")} ${textAt(cause, "target_resource")}`)
        .filter((cause) => !known.has(cause));
      return [...unsourced, ...dangling].map((what) => `${id}: ${what}`);
    });

    expect(wrong).toEqual([]);
  });

  it("begin with one line, and say the likeliest cause within 15", async () => {
    const wrong = (await answerOwnCases()).flatMap(({ one: { id }, response }) => {
      const { answer = "" } = response;
      const [before = ""] = answer.split("\n2. ");
      const lines = before.split("\n").filter((line) => line !== "");
      return lines.length <= maxLines ? [] : [`${id}: ${lines.length} lines`];
    });

    expect(wrong).toEqual([]);
  });
});
