import { describe, expect, it } from "vitest";
import { stripQuestionFraming } from "./strip-question-framing.js";

describe("askedOf", () => {
  it.each([
    ["What does NXDOMAIN mean?", "What does NXDOMAIN ?"],
    ["how many replicas are there?", "how replicas are there?"],
    ["Please tell me about meanings", "  about meanings"],
    ["the mean of a histogram", "the mean of a histogram"],
    ["thanks", "thanks"],
  ])("leaves the subject of %j", (query, asked) => {
    expect(stripQuestionFraming(query)).toBe(asked);
  });
});
