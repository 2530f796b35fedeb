import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouter } from "@constellation/core";
import { expect, it } from "vitest";
import { testThreads } from "../test/thread-suite.js";
import { createMemoryStore } from "./memory-store.js";
import { createSqliteStore } from "./sqlite/sqlite-store.js";

testThreads("memory", { create: () => createMemoryStore() });

let folder = "";
testThreads("SQLite", {
  create() {
    folder = mkdtempSync(join(tmpdir(), "threads-"));
    return createSqliteStore({ file: join(folder, "journal.db") });
  },
  remove: () => rmSync(folder, { recursive: true, force: true }),
});

it("a thread needs a journal", async () => {
  const router = createRouter();
  router.register({
    id: "docs",
    description: "answers",
    librarian: async () => ({ answer: "A" }),
  });

  const { error } = await router.ask("One?", { thread: "t" });

  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(() => router.ask("One?", { thread: "" })).toThrow(RangeError);
});
