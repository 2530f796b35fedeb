import { describe, expect, it } from "vitest";
import { statesLack } from "./stated-lack.js";

describe("statesLack", () => {
  it.each([
    "I don't have information about x.",
    "I don’t have any detailed documentation on this.",
    "I do not have enough information to answer that.",
    "I have no information on database migrations.",
    "I found no mention of rate limits.",
    "I found nothing about rate limits in the documentation.",
    "I could not find a section about rate limits.",
    "No information about rate limits was found.",
    "Nothing about rate limits here.",
    "The documentation does not cover rate limits.",
    "The knowledge base doesn't mention rate limits.",
    "Rate limits are not documented.",
    "This is outside my domain.",
    "This is not part of my knowledge base.",
  ])("NAV-012: sees it in %j", (text) => {
    expect(statesLack(text)).toBe(true);
  });

  it.each([
    "Restart the pod.",
    "You don't have to restart the pod.",
    "No restart is needed.",
    "The flag does not restart pods.",
    "Pods are not supported on nodes without it.",
    "If nothing helps, delete it.",
    "The handler for routes that are not found sends 404.",
    "",
  ])("NAV-013: does not see it in %j", (text) => {
    expect(statesLack(text)).toBe(false);
  });
});
