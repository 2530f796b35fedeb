import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createAnalyzer,
  createMarkdownFolder,
  type Embedder,
  openKnowledgeBase,
  type Section,
} from "@constellation/retrieval";
import { normalHeading } from "../../../packages/retrieval/bench/heading-match.js";
import { featureHits, readFeatures } from "../src/calibration/features.js";
import type { Case } from "./cases.js";

/** A question of `questions/named.jsonl`: see the README there. */
interface NamedQuestion {
  readonly kb: string;
  readonly query: string;
  readonly name: string;
  readonly file: string;
  readonly section?: string;
  readonly other: string;
}

/**
 * Asks each question that names a thing four times: where the thing has its page, and where it has none, in the whole
 * knowledge base and in one of the thing's page and another's alone. `type` tells whether it has one.
 *
 * @param folders - Where the knowledge bases are, one folder each.
 */
export async function readNamedCases(
  folders: readonly string[],
  embedder?: Embedder,
): Promise<readonly Case[]> {
  const file = fileURLToPath(new URL("questions/named.jsonl", import.meta.url));
  const questions = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as NamedQuestion); // written by our own case author
  const analyzer = createAnalyzer();
  const ranked = embedder === undefined ? {} : { embedder };
  const cases: Case[] = [];
  for (const kb of new Set(questions.map((each) => each.kb))) {
    const root = folders.map((folder) => join(folder, kb)).find((folder) => existsSync(folder));
    if (root === undefined) throw new Error(`There is no knowledge base "${kb}".`);
    const source = createMarkdownFolder(root);
    const whole = await openKnowledgeBase({ source, ...ranked });
    await whole.embedded();
    for (const question of questions.filter((each) => each.kb === kb)) {
      const { query, other } = question;
      const ask = async (base: typeof whole, type: "answerable" | "unanswerable") => {
        const filter = (section: Section) =>
          type === "answerable" || !(isAnswer(section, question) || isAbout(section, question));
        const result = await base.search(query, { limit: featureHits, filter });
        const top = result.hits[0]?.section;
        cases.push({
          query: { id: query, kb, type, query, relevant: [], provenance: { kind: "named" } },
          features: readFeatures(query, result, analyzer),
          isRight: top !== undefined && isAnswer(top, question),
        });
      };
      await ask(whole, "answerable");
      await ask(whole, "unanswerable");
      // Words are rarer or commoner in few pages.
      const pages = [question.file, other];
      const few = await openKnowledgeBase({
        source: {
          ...source,
          list: async (signal) => {
            const listing = await source.list(signal);
            return { ...listing, pages: listing.pages.filter((page) => pages.includes(page.file)) };
          },
        },
        ...ranked,
      });
      await few.embedded();
      await ask(few, "answerable");
      await ask(few, "unanswerable");
      await few.close();
    }
    await whole.close();
  }
  return cases;
}

function isAnswer({ file, headingPath }: Section, question: NamedQuestion): boolean {
  if (file !== question.file) return false;
  const wanted = question.section && normalHeading(question.section);
  return wanted === undefined || headingPath.some((each) => normalHeading(each) === wanted);
}

/** Whether a heading or the file has the name: short ones as a word of their own. */
function isAbout({ file, headingPath }: Section, { name }: NamedQuestion): boolean {
  return [file.split("/").at(-1) ?? "", ...headingPath].some((text) => {
    const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return name.length < 5 ? words.includes(name) : words.join("").includes(name);
  });
}
