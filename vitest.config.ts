import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;

/** Vite's own conditions for code that runs in Node.js, with our source first. */
const conditions = ["@constellation/source", "module", "node", "development|production"];

/** Every workspace folder is a project of its own, so that `--project` can name one. */
const projects = ["packages", "librarians", "examples"]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .concat("test")
  .filter((workspace) => existsSync(join(root, workspace, "package.json")))
  .map((workspace) => ({
    extends: true as const,
    root: join(root, workspace),
    test: { name: workspace },
  }));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects,
    include: ["**/*.test.ts"],
    pool: "forks",
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
