import { createRouter, type Router } from "@constellation/core";

/** A mesh whose librarian waits until it is asked to stop. */
export function slowMesh(): {
  readonly router: Router;
  /** Resolves when it was called. */
  readonly begun: Promise<void>;
  /** Resolves with the reason when it was asked to stop. */
  readonly stopped: Promise<unknown>;
} {
  let called: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    called = resolve;
  });
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<unknown>((resolve) => {
    stop = resolve;
  });
  const router = createRouter();
  router.register({
    id: "slow",
    description: "never comes to an end by itself",
    librarian: (_query, context) =>
      new Promise((resolve) => {
        context?.signal?.addEventListener("abort", () => {
          stop(context.signal?.reason);
          resolve({ answer: "too late" });
        });
        called();
      }),
  });
  return { router, begun, stopped };
}
