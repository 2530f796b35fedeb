import { describe, expect, it } from "vitest";
import { fitIntents, scoreFolds } from "../fit.js";
import { readQuestion } from "../read-question.js";
import { createIntentReader } from "./intent-model.js";

const examples = ["anna", "ben", "chris"].flatMap((source) =>
  [
    ["refund", "can i get my money back for <order>"],
    ["refund", "please pay back <order>"],
    ["refund", "money back now"],
    ["status", "where is <order>"],
    ["status", "when does <order> arrive"],
    ["status", "has <order> been sent, where is it now"],
  ].map(([intent = "", masked = ""]) => ({ source, intent, masked: `${masked} ${source}` })),
);

describe("intents", () => {
  it("are read from words that were fitted", () => {
    const intents = createIntentReader(fitIntents(examples));

    expect(readQuestion("I want my money back", { intents }).intent?.intent).toBe("refund");
    expect(readQuestion("where is it?", { intents }).intent?.intent).toBe("status");
  });

  it("are fitted to the same model each time", () => {
    expect(fitIntents(examples)).toEqual(fitIntents(examples));
  });

  it("have probabilities that sum to one, and are unsure where nothing speaks for any", () => {
    const intents = createIntentReader(
      fitIntents([...examples, ...examples.map((one) => ({ ...one, intent: `${one.intent}-2` }))]),
    );
    const { ranked, certainty } = intents.read("qqqq");

    expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1);
    expect(certainty).toBe("unsure");
  });

  it("rest on a vector of the embedder that they were fitted with, and on no other", () => {
    const withVectors = examples.map((one) => ({
      ...one,
      vector: one.intent === "refund" ? [1, 0] : [0, 1],
    }));
    const intents = createIntentReader(fitIntents(withVectors, { vectorModel: "small" }));
    const without = intents.read("qqqq").ranked;

    expect(intents.read("qqqq", [], { model: "small", values: [1, 0] }).intent).toBe("refund");
    expect(intents.read("qqqq", [], { model: "other", values: [1, 0] }).ranked).toEqual(without);
  });

  it("are scored by a model of the other sources", () => {
    expect(
      scoreFolds(examples).map(({ source, questions, right }) => [source, questions, right]),
    ).toEqual([
      ["anna", 6, 6],
      ["ben", 6, 6],
      ["chris", 6, 6],
    ]);
  });
});
