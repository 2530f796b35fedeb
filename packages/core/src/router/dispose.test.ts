import { createRouter, ErrorCode } from "@constellation/core";
import { expect, it } from "vitest";

it("a run that leaves the block of `await using` is cancelled, and its librarians have stopped", async () => {
  const router = createRouter();
  let stopped = false;
  router.register({
    id: "slow",
    description: "works until it is cancelled",
    librarian: (_query, context) =>
      new Promise((_resolve, reject) => {
        context?.signal?.addEventListener("abort", () => {
          stopped = true;
          reject(new Error("stopped"));
        });
      }),
  });

  const run = router.start("q");
  await run[Symbol.asyncDispose]();

  expect(stopped).toBe(true);
  expect((await run.response).error).toMatchObject({
    code: ErrorCode.TIMEOUT,
    details: { reason: "cancelled" },
  });
});
