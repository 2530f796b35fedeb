import type { KnowledgeBase, Section, SectionHit } from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";
import { quote } from "./quote.js";
import type { Unit } from "./units.js";

/** Maximum length of an answer, in characters. */
export const answerLength = 2_500;
const longestQuote = 1_600;

/** A section that is quoted. */
export interface Quoted {
  readonly hit: SectionHit;
  readonly units: readonly Unit[];
}

/** Quotes each section under its page's title, its heading and its file. */
export function compose(
  quoted: readonly Quoted[],
  weights: QueryWeights,
  knowledgeBase: Pick<KnowledgeBase, "page">,
): string {
  const share = Math.floor(answerLength / Math.max(1, quoted.length)) - 2;
  return quoted
    .map(({ hit: { section }, units }) => {
      const title = titleOf(section, knowledgeBase.page(section.file)?.title ?? "");
      const room = Math.min(longestQuote, share - title.length - 2);
      return `${title}\n\n${quote(section, units, weights, room)}`;
    })
    .join("\n\n");
}

/** Names what is quoted: `**Roll back a release › Check first** (`rollback.md`)`. */
function titleOf({ file, heading, headingPath }: Section, title: string): string {
  const above = headingPath.at(-2);
  const first = title !== heading && title !== "" ? title : above === heading ? undefined : above;
  const path = [first, heading].filter((each) => each !== undefined && each !== "");
  const shown = path.map((each) => plain(each ?? "").slice(0, 200)).join(" › ");
  const code = file.includes("`") ? `(${plain(file)})` : `(\`${file}\`)`;
  return `**${shown}** ${code.length > 300 ? code.slice(-300) : code}`;
}

/** Text as Markdown that shows just that. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*<[\]]/g, "\\$&");
}
