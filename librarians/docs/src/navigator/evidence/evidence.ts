import { type Boundary, containsToken } from "./contains-token.js";
import { type KnowledgeIndex, wordRuns } from "./knowledge-index.js";
import type { SectionText } from "./section-text.js";

/** Where a token was found: in a cited section, elsewhere in the knowledge base, or nowhere. */
export type TokenLocation = "cited" | "elsewhere" | "nowhere";

/** Looks up the tokens of one response. */
export interface Evidence {
  /** The sections that the response cites. */
  readonly cited: readonly SectionText[];
  readonly citedFiles: ReadonlySet<string>;
  readonly index: KnowledgeIndex;
  /** Finds where the first matching section is.
   *
   * @param text - Words that a section must contain to be tested, in any order and case.
   */
  find(text: string, passes: (section: SectionText) => boolean): TokenLocation;
  /** Finds a text as a whole, ignoring case and white space, with Markdown marks or without. */
  findText(text: string, boundary?: Boundary): TokenLocation;
}

/** Creates the evidence for a response that cites these sections. */
export function createEvidence(
  index: KnowledgeIndex,
  cited: readonly SectionText[],
  citedFiles: ReadonlySet<string>,
): Evidence {
  const find: Evidence["find"] = (text, passes) => {
    if (cited.some(passes)) return "cited";
    return index.some(wordRuns(text.toLowerCase()), passes) ? "elsewhere" : "nowhere";
  };
  return {
    cited,
    citedFiles,
    index,
    find,
    findText(text, boundary) {
      const token = text.replace(/\s+/g, " ").toLowerCase();
      return find(
        token,
        ({ folded, plain }) =>
          containsToken(folded, token, boundary) || containsToken(plain, token, boundary),
      );
    },
  };
}

/** The nearest of several locations. */
export function nearest(standings: Iterable<TokenLocation>): TokenLocation {
  let found: TokenLocation = "nowhere";
  for (const standing of standings) {
    if (standing === "cited") return standing;
    if (standing === "elsewhere") found = standing;
  }
  return found;
}

/** Limits the result of an inexact lookup: it is a warning at most, and never proof. */
export function loosely(standing: TokenLocation): TokenLocation {
  return standing === "cited" ? "elsewhere" : standing;
}
