import { errorCodeSchema, errorInfoSchema } from "@constellation/authoring/schemas";
import {
  type AIClient,
  type ErrorCode,
  type ErrorInfo,
  errorCodes,
  errorReasons,
  isErrorCode,
  type Librarian,
  MeshError,
} from "@constellation/core";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { covers } from "./covers.js";
import { failures } from "./failures.js";
import { answers, meshOf, never, passesTo, scriptedAi, throws, watched } from "./mesh.js";
import { isValidResponse } from "./valid.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("error", () => {
  it("CORE-044 has a code and a message", () => {
    expect(isValidResponse({ error: { code: "TIMEOUT" } })).toBe(false);
    expect(isValidResponse({ error: { message: "m" } })).toBe(false);
    expect(isValidResponse({ error: { code: "TIMEOUT", message: "m" } })).toBe(true);
  });

  it("CORE-065 has seven fields: five texts, one boolean, one record", () => {
    const full = {
      code: "NOT_FOUND",
      message: "m",
      librarian: "a",
      query: "q",
      recoverable: true,
      suggestion: "s",
      details: { reason: "no-information" },
    } as const;
    const withField = (field: object) => isValidResponse({ error: { ...full, ...field } });

    expectTypeOf(full).toExtend<ErrorInfo>();
    expectTypeOf<keyof ErrorInfo>().toEqualTypeOf<keyof typeof full>();
    expect(withField({})).toBe(true);
    const wrong = [
      { recoverable: "yes" },
      { details: "x" },
      { details: [] },
      { message: 1 },
      { librarian: 1 },
      { query: 1 },
      { suggestion: 1 },
    ];
    expect(wrong.filter(withField)).toEqual([]);
  });

  it("CORE-065 comes back from the router with all seven, as the librarian gave it", async () => {
    const error = {
      code: "DATA_SOURCE_ERROR",
      message: "m",
      librarian: "elsewhere",
      query: "its own",
      recoverable: false,
      suggestion: "s",
      details: { reason: "invalid-response", file: "a.md" },
    } as const;

    expect(await meshOf({ a: async () => ({ error }) }).ask("q")).toEqual({ error });
  });
});

describe("the error codes", () => {
  const groups = {
    client: ["INVALID_QUERY", "UNAUTHORIZED", "NOT_FOUND", "RATE_LIMITED"],
    server: ["INTERNAL_ERROR", "TIMEOUT", "SERVICE_UNAVAILABLE", "DELEGATION_FAILED"],
    specific: ["LOOP_DETECTED", "MAX_DEPTH_EXCEEDED", "AI_UNAVAILABLE", "DATA_SOURCE_ERROR"],
  };

  it("CORE-050 RES-01: are exactly twelve", () => {
    const twelve = Object.values(groups).flat();

    expect(Object.keys(errorCodes)).toEqual(twelve);
    expect(twelve.filter(isErrorCode)).toEqual(twelve);
    expect(twelve.filter((code) => isValidResponse({ error: { code, message: "m" } }))).toEqual(
      twelve,
    );
  });

  it("CORE-050 RES-01: are no others, also not ERROR", () => {
    const others = ["ERROR", "CANCELLED", "", "timeout", "toString", "__proto__", 504, null];

    expect(others.filter(isErrorCode)).toEqual([]);
    expect(others.filter((code) => errorCodeSchema.safeParse(code).success)).toEqual([]);
    expect(others.filter((code) => isValidResponse({ error: { code, message: "m" } }))).toEqual([]);
  });

  it("CORE-051 are client errors, server errors and specific ones", () => {
    const inGroup = (name: string) =>
      Object.entries(errorCodes).flatMap(([code, { group }]) => (group === name ? [code] : []));

    expect({
      client: inGroup("client"),
      server: inGroup("server"),
      specific: inGroup("specific"),
    }).toEqual(groups);
  });

  it("have each a meaning, an HTTP status, whether to try again, and who fixes it", () => {
    for (const row of Object.values(errorCodes)) {
      expect(row).toMatchObject({
        meaning: expect.stringMatching(/\S/),
        retryable: expect.any(Boolean),
        fixedBy: expect.stringMatching(/^(?:caller|author|operator)$/),
        suggestion: expect.stringMatching(/\S/),
      });
      expect(row.httpStatus).toBeGreaterThanOrEqual(400);
      expect(row.httpStatus).toBeLessThan(600);
    }
  });
});

describe("error.details.reason", () => {
  it("CORE-052 RES-01: says more, from a closed list, each under its codes", () => {
    const codesOf = Object.fromEntries(
      Object.entries(errorReasons).map(([reason, { codes }]) => [reason, codes]),
    );

    expect(codesOf).toEqual({
      deadline: ["TIMEOUT"],
      cancelled: ["TIMEOUT"],
      "circuit-open": ["SERVICE_UNAVAILABLE"],
      "delegate-unavailable": ["SERVICE_UNAVAILABLE"],
      overloaded: ["SERVICE_UNAVAILABLE"],
      waiting: ["UNAUTHORIZED"],
      "journal-failed": ["SERVICE_UNAVAILABLE"],
      "remote-lost": ["SERVICE_UNAVAILABLE"],
      disconnected: ["SERVICE_UNAVAILABLE"],
      depth: ["MAX_DEPTH_EXCEEDED"],
      "budget-exceeded": ["MAX_DEPTH_EXCEEDED", "AI_UNAVAILABLE"],
      "unknown-librarian": ["NOT_FOUND", "DELEGATION_FAILED"],
      "no-information": ["NOT_FOUND"],
      "out-of-domain": ["NOT_FOUND"],
      "not-allowed": ["UNAUTHORIZED"],
      threw: ["INTERNAL_ERROR"],
      "invalid-response": ["INTERNAL_ERROR", "DATA_SOURCE_ERROR"],
    });
  });

  it("CORE-052 RES-01: is not a code: a reason in its place is invalid", () => {
    const asCodes = Object.keys(errorReasons).flatMap((reason) => [
      reason,
      reason.toUpperCase().replaceAll("-", "_"),
    ]);

    expect(asCodes.filter(isErrorCode)).toEqual([]);
  });

  it("CORE-052 RES-01: of every error the core makes is under its code", async () => {
    for (const { code, reason, happen } of failures) {
      const { error } = await happen();

      expect(error).toMatchObject({ code });
      expect(error?.details?.reason).toBe(reason);
      if (reason !== undefined) expect(errorReasons[reason].codes).toContain(code);
    }
  });
});

describe("every error the core makes", () => {
  for (const { what, code, happen } of failures) {
    it(`CORE-045 CORE-046 has the flag recoverable and a suggestion: ${what}`, async () => {
      const { error, ...rest } = await happen();

      expect(error?.code).toBe(code);
      expect(error?.recoverable).toBe(errorCodes[code].retryable);
      expect(error?.suggestion?.trim()).toBeTruthy();
      expect(error?.suggestion).not.toBe(error?.message);
      expect(errorInfoSchema.safeParse(error)).toMatchObject({ success: true });
      expect(rest.answer).toBeUndefined();
    });
  }

  it("CORE-067 repeats the query, cut to 1,000 characters", async () => {
    const query = "x".repeat(5_000);

    const { error } = await meshOf({ throws }).ask(query);

    expect(error?.query).toMatch(/^x{1000}.?$/u);
    expect(error?.message.length).toBeLessThan(500);
  });
});

describe("INVALID_QUERY", () => {
  for (const query of ["  ", "", "\n\t", "\u00a0\u2003"]) {
    it(`CORE-053 is the query ${JSON.stringify(query)}, and no one is called`, async () => {
      const a = watched(answers("A"));

      const response = await meshOf({ a: a.librarian }).ask(query);

      expect(response.error?.code).toBe("INVALID_QUERY");
      expect(a.queries).toEqual([]);
    });
  }

  for (const query of [undefined, null, 5, {}, ["q"], Symbol("q"), 1n]) {
    it(`CORE-053 is a query that is not text: ${typeof query} ${String(query)}`, async () => {
      const a = watched(answers("A"));

      const response = await meshOf({ a: a.librarian }).ask(query as string);

      expect(response.error?.code).toBe("INVALID_QUERY");
      expect(a.queries).toEqual([]);
    });
  }

  it("names who is registered when no one is named and it could be several", async () => {
    const response = await meshOf(
      { alpha: answers("A"), beta: answers("B") },
      { entry: undefined },
    ).ask("q");

    expect(response.error?.code).toBe("INVALID_QUERY");
    expect(response.error?.message).toMatch(/alpha.*beta/);
  });
});

describe("INTERNAL_ERROR", () => {
  it("CORE-057 keeps what was thrown out of the response", async () => {
    const leaking: Librarian = async () => {
      throw new Error("password=x", { cause: "password=y" });
    };

    const response = await meshOf({ leaking }).ask("q");

    expect(response.error?.code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(response)).not.toContain("password");
  });

  it("CORE-057 keeps it out of a fan-out's response too", async () => {
    const response = await meshOf({ a: passesTo("throws", "b"), throws, b: answers("B") }).ask("q");

    expect(response.answer).toBe("B");
    expect(JSON.stringify(response)).not.toContain("password");
  });
});

describe("TIMEOUT", () => {
  it("CORE-058 is a deadline that has passed: the librarian is not called", async () => {
    const late = watched(answers("late"));

    const response = meshOf(
      { a: passesTo("never", "late"), never, late: late.librarian },
      { fanoutConcurrency: 1 }, // it waits until there is no time left
    ).ask("q", { timeoutMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "deadline" },
    });
    expect(late.queries).toEqual([]);
  });

  it("CORE-058 is a delegate of a librarian that blocked until the deadline had passed", async () => {
    vi.useRealTimers(); // no timer can end what never yields
    const b = watched(answers("B"));
    const blocking: Librarian = async () => {
      const until = performance.now() + 3;
      while (performance.now() < until);
      return { delegate: { to: "b" } };
    };

    const response = await meshOf({ blocking, b: b.librarian }).ask("q", { timeoutMs: 1 });

    expect(response.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
    expect(b.queries).toEqual([]);
  });

  it("CORE-058 is a caller who has cancelled already: the librarian is not called", async () => {
    const a = watched(answers("A"));

    const response = await meshOf({ a: a.librarian }).ask("q", { signal: AbortSignal.abort() });

    expect(response.error).toMatchObject({ code: "TIMEOUT", details: { reason: "cancelled" } });
    expect(a.queries).toEqual([]);
  });
});

describe("SERVICE_UNAVAILABLE", () => {
  it("CORE-059 means that a librarian is not taking queries, and asking again may help", async () => {
    const a = watched(answers("A"));
    let isUp = false;
    const start = async () => {
      if (!isUp) throw new Error("not yet");
    };
    const router = meshOf({ a: { librarian: a.librarian, start } });

    const refused = await router.ask("q");
    isUp = true;

    expect(refused.error).toMatchObject({ code: "SERVICE_UNAVAILABLE", recoverable: true });
    expect(a.queries).toEqual([]);
    expect((await router.ask("q")).answer).toBe("A");
    expect(errorCodes.SERVICE_UNAVAILABLE.retryable).toBe(true);
  });
});

describe("what a librarian's dependency says", () => {
  /** A librarian that lets its port's failure through. */
  const reading =
    (read: () => Promise<string>): Librarian =>
    async () => ({ answer: await read() });

  const refusals: readonly [ErrorCode, boolean][] = [
    ["UNAUTHORIZED", false],
    ["NOT_FOUND", false],
    ["RATE_LIMITED", true],
    ["DATA_SOURCE_ERROR", true],
  ];
  for (const [code, recoverable] of refusals) {
    it(`reaches the caller under its code: ${code}`, async () => {
      covers("CORE-054", "CORE-055", "CORE-056", "CORE-064");
      const refusing = reading(() => Promise.reject(new MeshError(code, "The port says no.")));

      const response = await meshOf({ refusing }).ask("q");

      expect(response.error).toEqual({
        code,
        message: "The port says no.",
        librarian: "refusing",
        query: "q",
        recoverable,
        suggestion: errorCodes[code].suggestion,
      });
    });
  }

  it("CORE-063 is AI_UNAVAILABLE where the model fails and there is no way without it", async () => {
    const failing: AIClient = {
      ...scriptedAi(""),
      complete: () => Promise.reject(new MeshError("AI_UNAVAILABLE", "The model is down.")),
    };
    const thinking: Librarian = async (prompt, context) => ({
      answer: (await context?.ai?.complete({ prompt }))?.text ?? "",
    });

    const response = await meshOf({ thinking }).ask("q", { ai: failing });

    expect(response.error).toMatchObject({ code: "AI_UNAVAILABLE", recoverable: true });
  });
});

describe("RES-03: a librarian's own deadline and signal", () => {
  it("say TIMEOUT, deadline past the deadline and TIMEOUT, cancelled on abort", async () => {
    const reasons: unknown[] = [];
    const listening: Librarian = (_query, context) => {
      context?.signal?.addEventListener("abort", () => reasons.push(context.signal?.reason));
      return never("");
    };
    const caller = new AbortController();
    const router = meshOf({ listening });

    const late = router.ask("q", { timeoutMs: 50 });
    await vi.advanceTimersByTimeAsync(50);
    const cancelled = router.ask("q", { signal: caller.signal });
    caller.abort();

    expect((await late).error?.details?.reason).toBe("deadline");
    expect((await cancelled).error?.details?.reason).toBe("cancelled");
    expect(reasons).toMatchObject([
      { code: "TIMEOUT", reason: "deadline" },
      { code: "TIMEOUT", reason: "cancelled" },
    ]);
    expect(reasons.every((each) => each instanceof MeshError)).toBe(true);
  });
});
