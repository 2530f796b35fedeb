import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { workspaces } from "./scripts/workspaces.js";

/** Vite's own conditions for Node.js, with our source first, and without "module", which is for bundlers. */
const conditions = ["@constellation/source", "node", "development|production"];

/** Every workspace is a project of its own, so that `--project` can name one. */
const projects = workspaces().map(({ folder }) => ({
  extends: true as const,
  root: join(import.meta.dirname, folder),
  test: { name: folder },
}));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects,
    include: ["**/*.test.ts"],
    // Real time: what a test waits for must hold on a machine that does other things as well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // A package's test files share a process, so that each module is loaded once; `restore-globals` undoes what they set.
    isolate: false,
    setupFiles: [join(import.meta.dirname, "test/restore-globals.ts")],
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
