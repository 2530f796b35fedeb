import { describe, expect, it } from "vitest";
import { readOwnCases, readRewordings, runOwnCases } from "../eval/own-cases.js";

const cases = readOwnCases("dev").filter((_, place) => place % 3 === 0);
const before = await runOwnCases(cases);
const selectedOf = (outcomes: typeof before) =>
  outcomes.map(({ id, selected }) => `${id}: ${selected ?? "none"}`);

/** The same object with its keys in reverse order, at every depth. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  );
}

function textOf(incident: object, key: string): string {
  return String((incident as Readonly<Record<string, unknown>>)[key] ?? ""); // read from JSON
}

/** What must not change the pick. */
const changes: Readonly<Record<string, (incident: object) => object>> = {
  "labels in another order": (incident) => reversed(incident) as object, // an object stays one
  "an unknown label more": (incident) => ({
    ...incident,
    alert_labels: {
      ...("alert_labels" in incident ? Object(incident.alert_labels) : {}),
      zone: "q7",
    },
  }),
  "a field that is not known": (incident) => ({
    ...incident,
    generator_url: "https://prom.example",
  }),
  "words around the text": (incident) => ({
    ...incident,
    summary: `[FIRING:1] ${textOf(incident, "summary")} - please have a look`,
  }),
  "its text in capitals": (incident) => ({
    ...incident,
    summary: textOf(incident, "summary").toUpperCase(),
  }),
  "summary and description exchanged": (incident) => ({
    ...incident,
    summary: textOf(incident, "description"),
    description: textOf(incident, "summary"),
  }),
  "labels written in capitals": (incident) => ({
    ...incident,
    environment: "environment" in incident ? String(incident.environment).toUpperCase() : "",
  }),
};

describe("the pick for an incident", () => {
  it.each(Object.entries(changes))("is the same with %s", async (_, change) => {
    const after = await runOwnCases(
      cases.map((one) => ({
        ...one,
        incident: change(one.incident) as (typeof cases)[number]["incident"], // as it was, and more
      })),
    );

    expect(selectedOf(after)).toEqual(selectedOf(before));
  });

  it("is the same with the same facts in another order", async () => {
    const after = await runOwnCases(
      cases.map((one) => ({ ...one, observed_facts: one.observed_facts.toReversed() })),
    );

    expect(selectedOf(after)).toEqual(selectedOf(before));
  });

  it.each(["kubernetes.facts", "metrics.facts", "logs.facts"] as const)(
    "is the same with the same facts from a librarian with %s",
    async (capability) => {
      expect(selectedOf(await runOwnCases(cases, capability))).toEqual(selectedOf(before));
    },
  );

  it("is the same with the alert in other words, in nine of ten", async () => {
    const rewordings = readRewordings();
    const originals = readOwnCases("dev").filter(({ id }) => rewordings.has(id));
    const reworded = originals.map((one) => ({
      ...one,
      incident: { ...one.incident, ...rewordings.get(one.id) },
    }));

    expect(originals.length).toBeGreaterThan(30);
    const [one, other] = [await runOwnCases(originals), await runOwnCases(reworded)];
    const same = selectedOf(one).filter((pick) => selectedOf(other).includes(pick));
    expect(same.length / one.length).toBeGreaterThanOrEqual(0.9);
  });
});
