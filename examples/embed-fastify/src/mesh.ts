import { setTimeout as sleep } from "node:timers/promises";
import { createRouter, type Librarian, type Router } from "@constellation/core";

/** What the librarians of this example do when they are cancelled. */
export interface MeshOptions {
  /** Receives how far the archive was when it stopped half-way. */
  readonly onStop?: (year: number) => void;
}

/** A desk and two librarians; one of them takes its time, and reports progress. */
export function createMesh({ onStop }: MeshOptions = {}): Router {
  const desk: Librarian = async (query) => ({
    delegate: /\bhistory\b/.test(query)
      ? { to: "archive", context: { reason: "it is about the past" } }
      : { to: "runbook", context: { reason: "it is about what to do" } },
  });
  const runbook: Librarian = async (_query, context) => {
    context?.report?.("reading runbooks/billing.md");
    return {
      answer: "Drain the queue, then restart billing.",
      sources: [{ name: "runbooks/billing.md#Restart" }],
      confidence: 0.9,
    };
  };
  const archive: Librarian = async (_query, context) => {
    for (let year = 2020; year <= 2026; year++) {
      context?.report?.(`reading ${year}`);
      try {
        await sleep(100, undefined, context?.signal && { signal: context.signal });
      } catch {
        onStop?.(year);
        return { error: { code: "TIMEOUT", message: "It stopped at its signal." } };
      }
    }
    return { answer: "It failed twice, in 2021 and in 2024.", sources: [{ name: "archive" }] };
  };

  const router = createRouter({ name: "help", entry: "desk", timeoutMs: 10_000 });
  router.register({ id: "desk", description: "passes questions on", librarian: desk });
  router.register({ id: "runbook", description: "knows what to do", librarian: runbook });
  router.register({ id: "archive", description: "knows the past", librarian: archive });
  return router;
}
