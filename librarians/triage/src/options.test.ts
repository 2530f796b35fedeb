import { describe, expect, it } from "vitest";
import { optionsSchema } from "./options.js";
import { createTriageLibrarian } from "./triage-librarian.js";

/** Options as they come from JavaScript. */
function create(options: unknown) {
  return () => createTriageLibrarian(options as Parameters<typeof createTriageLibrarian>[0]);
}

describe("the options of createTriageLibrarian", () => {
  it("are all optional", () => {
    expect(createTriageLibrarian()).toMatchObject({ id: "triage" });
  });

  it("go into the definition where a router reads them", () => {
    const given = { id: "front", name: "Front desk", delegatesTo: ["k8s"], timeoutMs: 9_000 };

    expect(createTriageLibrarian(given)).toMatchObject(given);
  });

  it.each([
    [{ maxDelegates: 0 }, RangeError, "maxDelegates: expected an integer from 1 to 16, got 0."],
    [{ maxDelegates: "3" }, TypeError, 'maxDelegates: expected an integer from 1 to 16, got "3".'],
    [{ threshold: 1 }, RangeError, "threshold: expected a number above 0 and below 1, got 1."],
    [
      { threshold: Number.NaN },
      RangeError,
      "threshold: expected a number above 0 and below 1, got NaN.",
    ],
    [{ shortlist: 1.5 }, RangeError, "shortlist: expected an integer from 1 to 100, got 1.5."],
    [
      { analysisTimeoutMs: 0 },
      RangeError,
      "analysisTimeoutMs: expected a number from 1 to 2147483647, got 0.",
    ],
    [
      { decisionTimeoutMs: null },
      TypeError,
      "decisionTimeoutMs: expected a number from 1 to 2147483647, got null.",
    ],
    [{ useModel: "yes" }, TypeError, 'useModel: expected true or false, got "yes".'],
    [{ id: "Front" }, RangeError, 'id: expected 1 to 64 of a-z, 0-9 and "-", got "Front".'],
    [
      { delegatesTo: ["k8s", 7] },
      TypeError,
      'delegatesTo.1: expected 1 to 64 of a-z, 0-9 and "-", got 7.',
    ],
    [
      { treshold: 0.5 },
      TypeError,
      'options: unknown key "treshold". Did you mean "threshold"? Valid keys: id, ',
    ],
    ["triage", TypeError, 'options: expected an object, got "triage".'],
  ])("refuse %j at creation, naming key and value", (options, kind, message) => {
    expect(create(options)).toThrow(kind);
    expect(create(options)).toThrow(message);
    expect(optionsSchema.safeParse(options).success).toBe(false);
  });
});
