import { followUpTest, meshTemplate } from "./mesh-template.js";
import {
  engines,
  manifestText,
  type Template,
  tsconfigText,
  typescriptPackages,
  typescriptRunner,
} from "./template.js";

/** The same mesh with its own code in TypeScript. */
export const meshTypescriptTemplate: Template = (values) => {
  const shared = Object.entries(meshTemplate(values))
    .filter(([file]) => !file.endsWith(".js"))
    .map(([file, text]) => [file, text.replaceAll("on-call.js", "on-call.ts")]);
  return {
    ...Object.fromEntries(shared),
    "package.json": manifest(values),
    "tsconfig.json": tsconfigText({ noEmit: true, allowImportingTsExtensions: true }, [
      "librarians",
      "mesh.test.ts",
    ]),
    "librarians/on-call.ts": onCall,
    "mesh.test.ts": test,
  };
};

const manifest: (values: Parameters<Template>[0]) => string = ({ name, range }) =>
  manifestText({
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines,
    scripts: {
      ask: "constellation ask",
      dev: "constellation dev",
      check: "constellation check && tsc",
      eval: "constellation eval cases.jsonl",
      test: "node --import tsx --test mesh.test.ts",
    },
    dependencies: {
      "@constellation/cli": range,
      "@constellation/core": range,
      "@constellation/librarian-docs": range,
      "@constellation/librarian-triage": range,
      "@opentelemetry/api": "~1.9.1",
      ...typescriptRunner, // `constellation serve` needs it, too
    },
    devDependencies: typescriptPackages,
  });

const onCall = `import type { Librarian, LibrarianDefinition } from "@constellation/core";

/** Options of the librarian, as the mesh file gives them. */
export interface OnCallOptions {
  /** Names by team. */
  readonly rota: Readonly<Record<string, string>>;
}

/** Finds who is on call for a team. */
export function createLibrarian({ rota }: OnCallOptions): LibrarianDefinition<Librarian> {
  return {
    id: "on-call",
    description: "Knows who is on call: the engineer on duty of each team.",
    examples: ["Who is on call for payments?", "Who is on call for checkout?"],
    delegatesTo: [],
    librarian: async (query) => {
      // Of a follow-up, "Who is on call for checkout: for payments?", what is asked last counts.
      const teams = query
        .toLowerCase()
        .split(/[.?!:]\\s/)
        .map((part) => Object.keys(rota).filter((team) => part.includes(team)))
        .findLast((named) => named.length > 0);
      if (teams === undefined) {
        return {
          error: {
            code: "NOT_FOUND",
            message: "That team has no rota.",
            recoverable: false,
            suggestion: \`Ask about one of: \${Object.keys(rota).join(", ")}.\`,
            details: { reason: "no-information" },
          },
        };
      }
      return {
        answer: teams.map((team) => \`\${rota[team]} is on call for \${team}.\`).join("\\n"),
        sources: teams.map((team) => ({ name: \`rota of \${team}\` })),
        confidence: 0.95,
      };
    },
  };
}
`;

const test = `import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, describe, it } from "node:test";
import { loadMesh } from "@constellation/cli";
import { askRouter, readCases, runEval } from "@constellation/testing/evals";

const { router } = await loadMesh("constellation.yaml", { cwd: import.meta.dirname });
const cases = readCases(
  await readFile(new URL("cases.jsonl", import.meta.url), "utf8"),
  "cases.jsonl",
);

describe("the mesh", () => {
  after(() => router.close());

  it("has no cycle, no unknown target and no unreachable librarian", () => {
    assert.deepEqual(router.check().problems, []);
  });

  for (const one of cases) {
    it(\`answers "\${one.query}" as expected\`, async () => {
      const { results } = await runEval(askRouter(router), [one]);
      const failed = results[0]?.expectations.filter(({ passed }) => !passed);
      assert.deepEqual(failed, []);
    });
  }

${followUpTest}});
`;
