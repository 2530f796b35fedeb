import { AsyncLocalStorage } from "node:async_hooks";
import type { Router } from "@constellation/core";

/** A promise that was rejected and that no one handled: a librarian forgot an `await`. */
export interface UnhandledRejection {
  /** The librarian that made the promise; absent where that is not known. */
  readonly librarian?: string | undefined;
  /** The run it was made for. */
  readonly runId?: string | undefined;
  /** What the promise was rejected with: usually an Error, with its stack. */
  readonly reason: unknown;
}

/**
 * Keeps the process alive after an unhandled rejection, which would end the process and every run of every user.
 * Attributes the rejection to the librarian in whose asynchronous calls it began.
 *
 * @param onRejection - Called for each. What it throws is dropped.
 * @returns A function that stops it: later rejections end the process again.
 */
export function catchRejections(
  router: Pick<Router, "on">,
  onRejection: (rejection: UnhandledRejection) => void,
): () => void {
  const calls = new AsyncLocalStorage<Pick<UnhandledRejection, "librarian" | "runId">>();
  // Emitted right before the librarian is called, in the same turn: what the librarian begins has this store.
  const offStart = router.on("hop:start", ({ to, runId, shared }) => {
    if (shared === undefined) calls.enterWith({ librarian: to, runId });
  });
  const onUnhandled = (reason: unknown) => {
    try {
      onRejection({ ...calls.getStore(), reason }); // Node.js restores the context of the promise
    } catch {
      // A report that fails must not end the process either.
    }
  };
  process.on("unhandledRejection", onUnhandled);
  return () => {
    process.off("unhandledRejection", onUnhandled);
    offStart();
    calls.disable();
  };
}
