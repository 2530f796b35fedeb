import { alignWith, type Misalignment, maxSentence } from "./align-sentence.js";
import { createGround, type Passage, type ReadPassage, readPassages } from "./ground.js";
import { readStatement } from "./read-statement.js";
import { splitStatements } from "./split-statements.js";
import { findMissingWarning } from "./warnings.js";

/** A sentence that does not follow from what it cites. */
export interface Ungrounded {
  readonly sentence: string;
  readonly why: readonly Misalignment[];
  /** The words of a passage that stand in its place; absent where it was left out. */
  readonly replacedBy?: string | undefined;
}

/** A text of which every sentence aligns with its passages. */
export interface GroundedText {
  /** Empty where nothing was left. */
  readonly text: string;
  /** Number of sentences that a model wrote and that are kept. */
  readonly kept: number;
  readonly ungrounded: readonly Ungrounded[];
}

export interface GroundOptions {
  /** Passages that the text does not cite: what is only in them speaks against a sentence. */
  readonly others?: readonly ReadPassage[] | undefined;
  /** Sentences that claim nothing, such as "The pages do not say this". */
  readonly isExempt?: ((sentence: string) => boolean) | undefined;
  /** What a sentence may fail in, where a text explains and does not only report. */
  readonly allows?: readonly Misalignment[] | undefined;
}

/** Maximum number of sentences; what is behind them is left out. */
const maxSentences = 200;
/** Share of a sentence's words that a source's statement has, to stand in its place. */
const minShared = 0.4;
const maxShown = 300;
/** Maximum number of characters of what stands in place of a sentence: a record of a hundred fields does not fit. */
const maxReplacement = 500;
const maxText = 20_000;

/** What begins an item, a quotation or a heading. */
const itemMark = /^[ \t]{0,20}(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)])[ \t]{1,9})?/;

/**
 * Keeps the sentences of a model's text that align with the passages it cites; in place of another one stands the
 * statement of a passage that it is closest to, once, or nothing.
 */
export function groundText(
  text: string,
  given: readonly (Passage | ReadPassage)[],
  { others = [], isExempt = () => false, allows = [] }: GroundOptions = {},
): GroundedText {
  const cited = given.flatMap((one) => ("statements" in one ? [one] : readPassages([one])));
  const ground = createGround(cited, others);
  const around = new Set(
    splitStatements(text.slice(0, maxText)).flatMap((one) =>
      readStatement(one)
        .words.filter(({ isContent }) => isContent)
        .map(({ stem }) => stem),
    ),
  );
  const ungrounded: Ungrounded[] = [];
  const said = new Set<string>();
  let kept = 0;
  let count = 0;
  let isFenced = false;
  const behindFence: string[] = [];
  const lines = text.split("\n").flatMap((line) => {
    if (/^\s{0,20}```/.test(line)) {
      isFenced = !isFenced;
      return [line, ...behindFence.splice(0)];
    }
    if (line.trim() === "") return [line];
    const mark = isFenced ? "" : (itemMark.exec(line)?.[0] ?? "");
    const rest = isFenced ? `\`${line.trim()}\`` : line.slice(mark.length);
    const sentences = splitStatements(rest).flatMap((sentence) => {
      if (++count > maxSentences) return [];
      if (isExempt(sentence)) {
        kept++;
        return [sentence];
      }
      const statement = readStatement(sentence.slice(0, maxSentence + 1));
      const why = alignWith(statement, ground, allows);
      if (why.length === 0) {
        kept++;
        if (allows.includes("warning")) return [sentence];
        const warning = findMissingWarning(statement, ground, around);
        if (warning === undefined || said.has(warning)) return [sentence];
        said.add(warning);
        ungrounded.push({
          sentence: sentence.slice(0, maxShown),
          why: ["warning"],
          replacedBy: `${sentence} ${warning}`,
        });
        if (isFenced) behindFence.push(warning);
        return isFenced ? [sentence] : [sentence, warning];
      }
      const replacedBy = isFenced ? undefined : findClosest(sentence, cited);
      const isNew = replacedBy !== undefined && !said.has(replacedBy);
      if (isNew) said.add(replacedBy);
      ungrounded.push({
        sentence: sentence.slice(0, maxShown),
        why,
        ...(isNew && { replacedBy }),
      });
      return isNew ? [replacedBy] : [];
    });
    if (sentences.length === 0) return [];
    return isFenced ? [line] : [mark + sentences.join(" ")];
  });
  const isEmpty = kept === 0 && said.size === 0;
  return {
    text: isEmpty
      ? ""
      : lines
          .join("\n")
          .replace(/\n{3,}/g, "\n\n")
          .replace(/```\w{0,20}\n```\n?/g, "")
          .trim(),
    kept,
    ungrounded,
  };
}

/** The statement of a passage with most of a sentence's words. */
function findClosest(sentence: string, cited: readonly ReadPassage[]): string | undefined {
  const stems = new Set(
    readStatement(sentence.slice(0, 1_000))
      .words.filter(({ isContent }) => isContent)
      .map(({ stem }) => stem),
  );
  let best: { readonly text: string; readonly share: number } | undefined;
  for (const { statements } of cited) {
    for (const { text, words } of statements) {
      if (text.length > maxReplacement) continue;
      const shared = new Set(words.filter(({ stem }) => stems.has(stem)).map(({ stem }) => stem))
        .size;
      const share = shared / Math.max(1, stems.size);
      if (share >= minShared && share > (best?.share ?? 0)) best = { text, share };
    }
  }
  return best?.text;
}
