import {
  allowScripts,
  codeIn,
  engines,
  manifestText,
  type Template,
  tsconfigText,
  typescriptPackages,
  typescriptRunner,
} from "./template.js";

/** A mesh of a desk, a folder of runbooks and a librarian of its own, with tests and cases. */
export const meshTemplate: Template = ({ name, range, language }) => {
  const { ts, js } = codeIn(language);
  const isTypescript = language === "ts";
  return {
    "package.json": manifestText({
      name,
      version: "0.1.0",
      private: true,
      type: "module",
      engines,
      scripts: {
        ask: "constellation ask",
        dev: "constellation dev",
        check: `constellation check${ts(" && tsc")}`,
        eval: "constellation eval cases.jsonl",
        test: isTypescript ? "node --import tsx --test mesh.test.ts" : "node --test",
      },
      dependencies: {
        "@constellation/cli": range,
        "@constellation/core": range,
        "@constellation/librarian-docs": range,
        "@constellation/librarian-triage": range,
        "@opentelemetry/api": "~1.9.1",
        ...(isTypescript && typescriptRunner), // `constellation serve` needs it, too
      },
      devDependencies: { "@constellation/testing": range, ...(isTypescript && typescriptPackages) },
      ...(isTypescript && { allowScripts }),
    }),
    ...(isTypescript && {
      "tsconfig.json": tsconfigText({ noEmit: true, allowImportingTsExtensions: true }, [
        "librarians",
        "mesh.test.ts",
      ]),
    }),
    "constellation.yaml": `# yaml-language-server: $schema=node_modules/@constellation/cli/mesh.schema.json
# A mesh of librarians.
name: ${name}
entry: triage
timeoutMs: \${TIMEOUT_MS:-10000}

librarians:
  # Reads a question and delegates it to the librarians that can answer it.
  - use: "@constellation/librarian-triage"
    delegatesTo: [runbooks, on-call]

  # Answers from a folder of Markdown pages, citing page and heading.
  - use: "@constellation/librarian-docs"
    id: runbooks
    description: Runbooks of the shop, how to roll back, restart, scale and debug checkout.
    examples: [How do I roll back checkout?, rollback checkout, How do I restart checkout?]
    delegatesTo: []
    options:
      root: runbooks

  # A librarian of your own.
  - use: ./librarians/on-call.${language}
    options:
      rota: { payments: Ann, checkout: Bo }
`,
    "runbooks/checkout.md": `# Checkout

## Roll back a release

Go back to the previous revision, then wait until it is ready:

    kubectl -n shop rollout undo deployment/checkout
    kubectl -n shop rollout status deployment/checkout

Tell the on-call engineer of payments before you do.

## Restart

Drain the queue first, then restart the pods one by one:

    kubectl -n shop rollout restart deployment/checkout
`,
    [`librarians/on-call.${language}`]: `${ts(`import type { Librarian, LibrarianDefinition } from "@constellation/core";

/** Options of the librarian, as the mesh file gives them. */
export interface OnCallOptions {
  /** Names by team. */
  readonly rota: Readonly<Record<string, string>>;
}

`)}/** Finds who is on call for a team.${js(" `rota`: names by team.")} */
export function createLibrarian({ rota }${ts(": OnCallOptions")})${ts(": LibrarianDefinition<Librarian>")} {
  return {
    id: "on-call",
    description: "Knows who is on call: the engineer on duty of each team.",
    examples: ["Who is on call for payments?", "Who is on call for checkout?"],
    delegatesTo: [],
    librarian: async (query) => {
      // In a follow-up such as "Who is on call for checkout: for payments?" the last team counts.
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
`,
    "cases.jsonl": `${[
      {
        id: "roll-back",
        query: "How do I roll back checkout?",
        expect: { librarians: ["runbooks"], mustMention: ["rollout undo"] },
      },
      {
        id: "on-call",
        query: "Who is on call for payments?",
        expect: { librarians: { exactly: ["on-call"] }, mustMention: ["Ann"] },
      },
      {
        id: "rollback",
        query: "rollback checkout",
        expect: { librarians: ["runbooks"], mustMention: ["rollout undo"] },
      },
      {
        id: "on-call-checkout",
        query: "Who is on call for checkout?",
        expect: {
          librarians: { exactly: ["on-call"] },
          mustMention: ["Bo"],
          mustNotMention: ["Ann"],
        },
      },
      {
        id: "foreign",
        query: "Why is the sky blue?",
        expect: { errorCode: "NOT_FOUND" },
      },
    ]
      .map((one) => JSON.stringify(one))
      .join("\n")}\n`,
    [`mesh.test.${language}`]: `import assert from "node:assert/strict";
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
      const failed = results[0]${ts("?")}.expectations.filter(({ passed }) => !passed);
      assert.deepEqual(failed, []);
    });
  }

  it("answers a follow-up of the question before", async () => {
    const query = "Who is on call for checkout?";
    const { answer = "" } = await router.ask(query);
    const conversation = [{ query, answer, librarians: ["on-call"] }];

    const next = await router.ask("and for payments?", { metadata: { conversation } });

    assert.equal(answer, "Bo is on call for checkout.");
    assert.equal(next.answer, "Ann is on call for payments.");
  });
});
`,
    "README.md": `# ${name}

A mesh of librarians: ask one question, get one sourced answer.

\`\`\`sh
npm install
npx @constellation/cli ask "How do I roll back checkout?"
npm test
\`\`\`

- \`constellation.yaml\` lists the librarians. \`npx @constellation/cli check\` finds its problems.
- \`runbooks/\` holds the pages that \`runbooks\` answers from. Put yours there.
- \`librarians/on-call.${language}\` is a librarian of your own. \`npx @constellation/cli init librarian NAME\` makes a
  package of one, with tests.
- \`cases.jsonl\` holds questions and what their answers must have: \`npm run eval\`, and \`npm test\`.
`,
    ".gitignore": "node_modules/\n",
  };
};
