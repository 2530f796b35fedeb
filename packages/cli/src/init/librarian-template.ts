import { manifestText, type Template } from "./template.js";

/** A librarian package: it answers from a file, and passes the suite every librarian must pass. */
export const librarianTemplate: Template = ({ name, range }) => ({
  "package.json": manifestText({
    name,
    version: "0.1.0",
    description: "A librarian that says whom to ask about what",
    type: "module",
    engines: { node: ">=20.19" },
    files: ["src", "!src/**/*.test.js"],
    exports: { ".": "./src/index.js" },
    scripts: { test: "node --test" },
    dependencies: { zod: "^4.6.7" },
    peerDependencies: { "@constellation/core": range },
    devDependencies: { "@constellation/core": range, "@opentelemetry/api": "~1.9.1" },
  }),
  "src/index.js": `import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { MeshError } from "@constellation/core";
import { z } from "zod";

/** What a mesh file may say under \`options:\`. A text of format "path" is relative to that file. */
export const optionsSchema = z.strictObject({
  file: z.string().min(1).meta({ format: "path" }),
});

/**
 * Creates a librarian that says whom to ask about what, from a JSON file: subjects and contacts.
 *
 * @param {{ file: string }} options
 * @param {{ read?: (file: string, signal?: AbortSignal) => Promise<string> }} io - For tests.
 * @returns {import("@constellation/core").LibrarianDefinition}
 */
export function createLibrarian(options, { read = readText } = {}) {
  const { file } = optionsSchema.parse(options);
  const id = "${name}";
  return {
    id,
    description: "Says whom to ask about a subject: who owns it and how to reach them.",
    examples: ["Whom do I ask about payments?"],
    delegatesTo: [],
    async librarian(query, context) {
      let contacts;
      try {
        const text = await untilAborted(read(file, context?.signal), context?.signal);
        contacts = z.record(z.string(), z.string()).parse(JSON.parse(text));
      } catch (thrown) {
        if (context?.signal?.aborted) return { error: MeshError.from(thrown, id).toInfo() };
        // What went wrong stays here: it may hold what nobody else should read.
        return {
          error: {
            code: "DATA_SOURCE_ERROR",
            message: "The contacts could not be read.",
            recoverable: true,
            suggestion: "Check that the file of contacts is there and is JSON, then ask again.",
          },
        };
      }
      const words = new Set(query.toLowerCase().match(/[\\p{L}\\p{N}-]+/gu));
      const subject = Object.keys(contacts).find((each) => words.has(each.toLowerCase()));
      if (subject === undefined) {
        return {
          error: {
            code: "NOT_FOUND",
            message: "Nobody is known for that.",
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
    },
  };
}

function readText(file, signal) {
  return readFile(file, { encoding: "utf8", signal });
}

/** Waits for something, but no longer than the signal allows. */
function untilAborted(work, signal) {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
`,
  "src/index.test.js": `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { itBehavesLikeALibrarian } from "@constellation/core/testing";
import { createLibrarian, optionsSchema } from "./index.js";

const contacts = JSON.stringify({ payments: "#team-payments", checkout: "#team-checkout" });
const options = { file: "contacts.json" };
const create = () => createLibrarian(options, { read: async () => contacts });

describe("createLibrarian", () => {
  itBehavesLikeALibrarian(
    {
      create,
      query: "Whom do I ask about payments?",
      unanswerable: "Whom do I ask about the weather?",
      failing: (thrown) => createLibrarian(options, { read: () => Promise.reject(thrown) }),
      hanging: () => createLibrarian(options, { read: () => new Promise(() => {}) }),
      without: ["delegation"], // it knows its subjects and passes nothing on
    },
    {
      describe,
      it: Object.assign((title, test, timeout) => it(title, { timeout }, test), { skip: it.skip }),
    },
  );

  it("names the contact and cites the subject", async () => {
    const { answer, sources } = await create().librarian("Who owns checkout?");

    assert.equal(answer, "Ask #team-checkout about checkout.");
    assert.deepEqual(sources, [{ name: "contacts.json#checkout", relevance: 1 }]);
  });

  it("refuses an option it does not know", () => {
    assert.equal(optionsSchema.safeParse({ file: "a.json", fiel: "b" }).success, false);
    assert.throws(() => createLibrarian({}));
  });
});
`,
  "README.md": `# ${name}

A librarian that says whom to ask about what, from a JSON file of subjects and contacts.

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
  ".gitignore": "node_modules/\n",
});
