import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { workspaces } from "./scripts/workspaces.js";

/** Vite's own conditions for Node.js, with our source first, and without "module", which is for bundlers. */
const conditions = ["@constellation/source", "node", "development|production"];

/**
 * Every workspace is a project of its own where `--project` names one. All tests together are one
 * project, so that what the packages share is transformed and loaded once.
 */
const isNamed = process.argv.some((each) => each.startsWith("--project"));
const projects = workspaces().map(({ folder }) => ({
  extends: true as const,
  root: join(import.meta.dirname, folder),
  test: { name: folder },
}));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    ...(isNamed && { projects }),
    include: ["**/*.test.ts"],
    // Real time: what a test waits for must hold on a machine that does other things as well.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    pool: "forks",
    // Test files share two processes, so that each module is loaded once in each; `restore-globals` undoes what they set.
    isolate: false,
    setupFiles: ["restore-globals", "fixed-draws"].map((name) =>
      join(import.meta.dirname, `test/${name}.ts`),
    ),
    maxWorkers: 2,
    // Some tests collect garbage to prove that nothing is kept.
    execArgv: ["--expose-gc"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "librarians/*/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});
