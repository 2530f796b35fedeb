import { expect, it } from "vitest";

it("the hello example runs and finds its own result right", async () => {
  await expect(import("./main.js")).resolves.toBeDefined();
});
