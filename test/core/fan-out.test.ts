import type { DelegateRequest } from "@constellation/core";
import { createRouter } from "@constellation/core";
import { recordEvents } from "@constellation/testing";
import { expect, it } from "vitest";

it("reports nothing of the branches of a decided fan-out once the run has its response", async () => {
  const router = createRouter({ entry: "desk", merge: "race", fanoutConcurrency: 2 });
  const log = recordEvents(router);
  const add = (id: string, delegates: readonly DelegateRequest[]) => {
    router.register({ id, description: "asks", librarian: async () => ({ delegate: delegates }) });
  };
  add("desk", [{ to: "quick" }, { to: "wide" }]);
  add("wide", [{ to: "deaf" }, { to: "mute" }, { to: "third" }, { to: "fourth" }]);
  router.register({
    id: "quick",
    description: "wins",
    librarian: async () => ({ answer: "first" }),
  });
  for (const id of ["deaf", "mute", "third", "fourth"]) {
    router.register({ id, description: "hangs", librarian: () => new Promise(() => {}) });
  }

  const { answer } = await router.ask("q");
  await new Promise((resolve) => {
    setImmediate(resolve);
  });

  expect(answer).toBe("first");
  const afterEnd = log.types.slice(log.types.indexOf("run:end") + 1);
  expect(afterEnd.filter((type) => type !== "hop:abandoned")).toEqual([]);
});
