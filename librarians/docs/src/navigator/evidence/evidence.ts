import { type KnowledgeIndex, wordRuns } from "./knowledge-index.js";
import type { SectionText } from "./section-text.js";
import { type Boundary, standsIn } from "./stands-in.js";

/** Where a token stands. */
export type Standing = "cited" | "elsewhere" | "nowhere";

/** What the tokens of one response are looked up in. */
export interface Evidence {
  /** The sections that the response cites. */
  readonly cited: readonly SectionText[];
  readonly citedFiles: ReadonlySet<string>;
  readonly index: KnowledgeIndex;
  /**
   * Where a section passes.
   *
   * @param text - Words that a section must hold to be asked, in any order and case.
   */
  find(text: string, passes: (section: SectionText) => boolean): Standing;
  /** Where a text stands as a whole, case and blanks aside, with the marks of Markdown or without. */
  findText(text: string, boundary?: Boundary): Standing;
}

/** Evidence for a response that cites these sections. */
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
          standsIn(folded, token, boundary) || standsIn(plain, token, boundary),
      );
    },
  };
}

/** The nearer of several places. */
export function nearest(standings: Iterable<Standing>): Standing {
  let found: Standing = "nowhere";
  for (const standing of standings) {
    if (standing === "cited") return standing;
    if (standing === "elsewhere") found = standing;
  }
  return found;
}

/** What a look-up that is not exact is worth: a warning at most, and never proof. */
export function loosely(standing: Standing): Standing {
  return standing === "cited" ? "elsewhere" : standing;
}
