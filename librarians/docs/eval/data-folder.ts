import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { KnowledgeBaseView } from "../src/navigator/knowledge-base-view.js";
import { createMemoryKnowledgeBase } from "../src/navigator/knowledge-base-view.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The folder of the retrieval data: real documentation, and the tools that make cases from it.
 *
 * @param given - Another folder of the same layout; `../shared/data` beside the repository where not given.
 * @returns Undefined where it is absent.
 */
export function retrievalData(given?: string): string | undefined {
  const data = given === undefined ? join(repository, "../shared/data") : resolve(given);
  const folder = [join(data, "docs-retrieval"), data].find((each) =>
    existsSync(join(each, "corpus")),
  );
  return folder;
}

/** The pages of each knowledge base in it, by its name. */
export function readKnowledgeBases(folder: string): ReadonlyMap<string, KnowledgeBaseView> {
  const corpus = join(folder, "corpus");
  return new Map(
    readdirSync(corpus).map((name) => {
      const root = join(corpus, name);
      const files = readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".md"))
        .map((file) => file.replaceAll("\\", "/"))
        .sort();
      const pages = files.map((file) => [file, readFileSync(join(root, file), "utf8")] as const);
      return [name, createMemoryKnowledgeBase(Object.fromEntries(pages))];
    }),
  );
}
