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

/**
 * A librarian package: it answers from a file, and passes the suite every librarian must pass. In TypeScript tests run
 * from source, and `prepare` builds what is published.
 */
export const librarianTemplate: Template = ({ name, range, language }) => {
  const { ts, js } = codeIn(language);
  const isTypescript = language === "ts";
  return {
    "package.json": manifestText({
      name,
      version: "0.1.0",
      description: "A librarian that finds the owner of a subject",
      type: "module",
      engines,
      files: isTypescript ? ["dist", "!dist/**/*.test.*"] : ["src", "!src/**/*.test.js"],
      exports: {
        ".": isTypescript
          ? { types: "./dist/index.d.ts", default: "./dist/index.js" }
          : "./src/index.js",
      },
      scripts: isTypescript
        ? { prepare: "tsc", test: "node --import tsx --test src/index.test.ts" }
        : { test: "node --test" },
      dependencies: { "@constellation/authoring": range, zod: "^4.6.7" },
      peerDependencies: { "@constellation/core": range },
      devDependencies: {
        "@constellation/core": range,
        "@constellation/testing": range,
        "@opentelemetry/api": "~1.9.1",
        ...(isTypescript && { ...typescriptPackages, ...typescriptRunner }),
      },
      ...(isTypescript && { allowScripts }),
    }),
    ...(isTypescript && {
      "tsconfig.json": tsconfigText(
        {
          rootDir: "src",
          outDir: "dist",
          declaration: true,
          allowImportingTsExtensions: true,
          rewriteRelativeImportExtensions: true,
        },
        ["src"],
      ),
    }),
    [`src/index.${language}`]: `import { readFile } from "node:fs/promises";
import { basename } from "node:path";
${ts(`import type { Librarian, LibrarianDefinition } from "@constellation/core";
`)}import { defineLibrarian, librarianOptionFields, optionField, parseOptions } from "@constellation/authoring";
import { z } from "zod";

/** Options, checked in a mesh file too. A relative path starts at the folder of that file. */
export const optionsSchema = z.strictObject({
  ...librarianOptionFields,
  file: optionField.path("the path of a JSON file"),
});

${ts(`/** Options of {@link createLibrarian}. */
export type Options = z.input<typeof optionsSchema>;

/** Reads a file; tests bring their own. */
export type ReadText = (file: string, signal: AbortSignal) => Promise<string>;

/** Creates a librarian that finds the owner of a subject in a JSON file: subjects and contacts. */
export function createLibrarian(
  options: Options,
  { read = readText }: { readonly read?: ReadText } = {},
): LibrarianDefinition<Librarian> {
`)}${js(`/**
 * Creates a librarian that finds the owner of a subject in a JSON file: subjects and contacts.
 *
 * @param {z.input<typeof optionsSchema>} options
 * @param {{ read?: (file: string, signal: AbortSignal) => Promise<string> }} io - For tests.
 * @returns {import("@constellation/core").LibrarianDefinition}
 */
export function createLibrarian(options, { read = readText } = {}) {
`)}  const { file, ...details } = parseOptions(optionsSchema, options);
  const definition = {
    id: "${name}",
    description: "Finds the owner of a subject and how to reach them.",
    examples: ["Whom do I ask about payments?"],
    delegatesTo: [],
    ...details,
  };
  return defineLibrarian(definition, async (query, { signal }) => {
    let contacts${ts(": Record<string, string>")};
    try {
      contacts = z.record(z.string(), z.string()).parse(JSON.parse(await read(file, signal)));
    } catch {
      // The cause is not sent: it may contain private data.
      return {
        error: {
          code: "DATA_SOURCE_ERROR",
          message: "The contacts could not be read.",
          recoverable: true,
          suggestion: "Check that the file of contacts exists and is JSON, then ask again.",
        },
      };
    }
    const words = new Set(query.toLowerCase().match(/[\\p{L}\\p{N}-]+/gu));
    const subject = Object.keys(contacts).find((each) => words.has(each.toLowerCase()));
    if (subject === undefined) {
      return {
        error: {
          code: "NOT_FOUND",
          message: "No contact is known for that.",
          recoverable: false,
          suggestion: \`Known subjects: \${Object.keys(contacts).slice(0, 20).join(", ")}.\`,
          details: { reason: "no-information" },
        },
      };
    }
    return {
      answer: \`Ask \${contacts[subject]} about \${subject}.\`,
      sources: [{ name: \`\${basename(file)}#\${subject}\`, relevance: 1 }],
      confidence: 0.9,
    };
  });
}

function readText(file${ts(": string")}, signal${ts(": AbortSignal")})${ts(": Promise<string>")} {
  return readFile(file, { encoding: "utf8", signal });
}
`,
    [`src/index.test.${language}`]: `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { itBehavesLikeALibrarian } from "@constellation/testing";
import { createLibrarian, optionsSchema } from "./index.${language}";

const contacts = JSON.stringify({ payments: "#team-payments", checkout: "#team-checkout" });
const options = { file: "contacts.json" };
const create = () => createLibrarian(options, { read: async () => contacts });

describe("createLibrarian", () => {
  itBehavesLikeALibrarian(
    {
      create,
      query: "Whom do I ask about payments?",
      unanswerable: "Whom do I ask about the weather?",
      failing: (thrown${ts(": unknown")}) => createLibrarian(options, { read: () => Promise.reject(thrown) }),
      hanging: () => createLibrarian(options, { read: () => new Promise(() => {}) }),
      withOptions: (more) => createLibrarian({ ...options, ...more }),
      without: ["delegation", "secrets"], // it never delegates, and repeats no log or alert
    },
    {
      describe,
${ts(`      it: Object.assign(
        (title: string, test: () => Promise<void>, timeout?: number) =>
          void it(title, { timeout }, test),
        { skip: (title: string) => void it.skip(title) },
      ),
`)}${js(`      it: Object.assign((title, test, timeout) => it(title, { timeout }, test), { skip: it.skip }),
`)}    },
  );

  it("names the contact and cites the subject", async () => {
    const { answer, sources } = await create().librarian("Who owns checkout?");

    assert.equal(answer, "Ask #team-checkout about checkout.");
    assert.deepEqual(sources, [{ name: "contacts.json#checkout", relevance: 1 }]);
  });

  it("refuses an option it does not know", () => {
    assert.equal(optionsSchema.safeParse({ file: "a.json", fiel: "b" }).success, false);
    assert.throws(() => createLibrarian({}${ts(" as never")}));
  });
});
`,
    "README.md": `# ${name}

A librarian that finds the owner of a subject in a JSON file of subjects and contacts.

\`\`\`yaml
# constellation.yaml
librarians:
  - use: ${name}
    options:
      file: contacts.json
\`\`\`

\`\`\`json
{ "payments": "#team-payments", "checkout": "#team-checkout" }
\`\`\`

\`npm test\` runs its tests, among them those that every librarian must pass.
`,
    ".gitignore": `node_modules/\n${ts("dist/\n")}`,
  };
};
