import {
  createRouter,
  type ErrorCode,
  type ErrorReason,
  type MeshLibrarian,
  type Response,
} from "@constellation/core";
import { vi } from "vitest";
import { answers, fails, meshOf, never, passesTo, returning, scriptedAi, throws } from "./mesh.js";

/** One way in which the router itself fails a query. */
export interface Failure {
  readonly what: string;
  readonly code: ErrorCode;
  readonly reason?: ErrorReason;
  /** Makes it happen. Needs fake timers. */
  readonly happen: () => Promise<Response>;
}

const asking =
  (to: string): MeshLibrarian =>
  async (query, context) =>
    await context.ask(query, { to });

/** Every error the core makes. */
export const failures: readonly Failure[] = [
  {
    what: "a blank query",
    code: "INVALID_QUERY",
    happen: () => meshOf({ a: answers("A") }).ask(" \n "),
  },
  {
    what: "a query that is not text",
    code: "INVALID_QUERY",
    happen: () => meshOf({ a: answers("A") }).ask(5 as unknown as string),
  },
  {
    what: "a query of more than a million characters",
    code: "INVALID_QUERY",
    happen: () => meshOf({ a: answers("A") }).ask("x".repeat(1_000_001)),
  },
  {
    what: "a blank query of a delegate",
    code: "INVALID_QUERY",
    happen: () =>
      meshOf({ a: async () => ({ delegate: { to: "b", query: " " } }), b: answers("B") }).ask("q"),
  },
  {
    what: "no librarian registered",
    code: "INVALID_QUERY",
    happen: () => createRouter().ask("q"),
  },
  {
    what: "no librarian named",
    code: "INVALID_QUERY",
    happen: () => {
      const router = createRouter();
      for (const id of ["a", "b"]) {
        router.register({ id, description: "one of two", librarian: answers("ok") });
      }
      return router.ask("q");
    },
  },
  {
    what: "an unknown id named by the caller",
    code: "NOT_FOUND",
    reason: "unknown-librarian",
    happen: () => meshOf({ a: answers("A") }).ask("q", { to: "nobody" }),
  },
  {
    what: "an unknown delegate",
    code: "DELEGATION_FAILED",
    reason: "unknown-librarian",
    happen: () => meshOf({ a: passesTo("nobody") }).ask("q"),
  },
  {
    what: "an unknown id named by context.ask",
    code: "DELEGATION_FAILED",
    reason: "unknown-librarian",
    happen: () => meshOf({ a: asking("nobody") }).ask("q"),
  },
  {
    what: "delegates that all failed, each in its own way",
    code: "DELEGATION_FAILED",
    happen: () => meshOf({ a: passesTo("b", "c"), b: fails("NOT_FOUND"), c: throws }).ask("q"),
  },
  {
    what: "a delegate that delegatesTo does not name",
    code: "UNAUTHORIZED",
    reason: "not-allowed",
    happen: () =>
      meshOf({ a: { librarian: passesTo("b"), delegatesTo: ["c"] }, b: answers("B") }).ask("q"),
  },
  {
    what: "a loop",
    code: "LOOP_DETECTED",
    happen: () => meshOf({ a: passesTo("b"), b: passesTo("a") }).ask("q"),
  },
  {
    what: "a chain that is too long",
    code: "MAX_DEPTH_EXCEEDED",
    reason: "depth",
    happen: () => meshOf({ a: passesTo("b"), b: answers("B") }, { maxDepth: 1 }).ask("q"),
  },
  {
    what: "a run that has used its hops",
    code: "MAX_DEPTH_EXCEEDED",
    reason: "budget-exceeded",
    happen: () => meshOf({ a: passesTo("b"), b: answers("B") }, { maxHops: 1 }).ask("q"),
  },
  {
    what: "a budget for models that is spent",
    code: "AI_UNAVAILABLE",
    reason: "budget-exceeded",
    happen: () => {
      const thinking: MeshLibrarian = async (prompt, context) => ({
        answer: (await context?.ai?.complete({ prompt }))?.text ?? "",
      });
      return meshOf({ thinking }).ask("q", { ai: scriptedAi("ok"), budget: { tokens: 0 } });
    },
  },
  {
    what: "a deadline",
    code: "TIMEOUT",
    reason: "deadline",
    happen: async () => {
      const response = meshOf({ never }).ask("q", { timeoutMs: 50 });
      await vi.advanceTimersByTimeAsync(50);
      return response;
    },
  },
  {
    what: "a librarian's own time limit",
    code: "TIMEOUT",
    reason: "deadline",
    happen: async () => {
      const response = meshOf({ a: { librarian: never, timeoutMs: 50 } }).ask("q");
      await vi.advanceTimersByTimeAsync(50);
      return response;
    },
  },
  {
    what: "a caller who cancels",
    code: "TIMEOUT",
    reason: "cancelled",
    happen: () => {
      const caller = new AbortController();
      const response = meshOf({ never }).ask("q", { signal: caller.signal });
      caller.abort();
      return response;
    },
  },
  {
    what: "a caller who has cancelled already",
    code: "TIMEOUT",
    reason: "cancelled",
    happen: () => meshOf({ a: answers("A") }).ask("q", { signal: AbortSignal.abort() }),
  },
  {
    what: "a librarian that throws",
    code: "INTERNAL_ERROR",
    reason: "threw",
    happen: () => meshOf({ throws }).ask("q"),
  },
  {
    what: "a librarian that returns nothing",
    code: "INTERNAL_ERROR",
    reason: "invalid-response",
    happen: () => meshOf({ a: returning({}) }).ask("q"),
  },
  {
    what: "a librarian that does not start",
    code: "SERVICE_UNAVAILABLE",
    happen: () =>
      meshOf({ a: { librarian: answers("A"), start: () => Promise.reject() } }).ask("q"),
  },
  {
    what: "a router that is closed",
    code: "SERVICE_UNAVAILABLE",
    happen: async () => {
      const router = meshOf({ a: answers("A") });
      await router.close();
      return router.ask("q");
    },
  },
];
