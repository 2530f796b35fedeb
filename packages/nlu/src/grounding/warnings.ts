import { isAuxiliary, isFunctionWord } from "../grammar/function-words.js";

import { type Ground, knows, type ReadPassage } from "./ground.js";
import { lightWords } from "./items.js";
import { readStatement, type Statement, type Word } from "./read-statement.js";
import { bias, weights } from "./warning-weights.js";

const warns =
  /^(?:no l[oae]s? |no se )|\b(?:never|do not|don['’]t|must not|cannot be (?:undone|reversed|restored|recovered)|irreversibl[ey]|warning|caution|danger|beware|be careful|make sure|only after|only when|otherwise|sonst|andernfalls|de lo contrario|nie|niemals|achtung|vorsicht|gefahr|warnung|nunca|no debe|advertencia|cuidado|peligro)\b/i;

/** It warns, or denies that something may be done. */
function isWarning(text: string): boolean {
  return (
    warns.test(text) || (/\b(?:darf|dürfen|sollten?)\b/i.test(text) && /\bnicht\b/i.test(text))
  );
}

/** What is to be done before something else. */
const firstDo = /\b(?:first|before|beforehand|zuerst|zuvor|vorher|primero|antes)\b/i;
/** It gives a reason: "never lift it: the lid is hot". */
const reasons =
  /\b(?:because|since|as|porque|denn|weil|ya que)\b|: (?:\S+ ){2}|, (?:it|they|es|sie) /i;

const warningReach = 2;
/** Number of words from which on a statement is long, and of shared words from which on it is about the same. */
const [longStatement, sameMatter] = [30, 3];

/** A statement that may be the warning that belongs to a sentence, with what speaks for and against it. */
export interface WarningCandidate {
  readonly text: string;
  readonly signs: readonly (readonly [name: string, value: number])[];
}

/** What each sign counts for. */
export interface WarningWeights {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * The warning that belongs to a step, where neither the step nor the text around it has it: the statement for which most
 * speaks, if that is enough.
 *
 * @param around - Stems of the text that the sentence stands in.
 */
export function findMissingWarning(
  said: Statement,
  ground: Ground,
  around: ReadonlySet<string> = new Set(),
): string | undefined {
  let best: { readonly text: string; readonly sum: number } | undefined;
  for (const one of listWarnings(said, ground, around)) {
    const sum = weigh(one, { bias, weights });
    if (sum > (best?.sum ?? 0)) best = { text: one.text, sum };
  }
  return best?.text;
}

/** How much speaks for a candidate: above 0 it is the warning that is missing. */
export function weigh({ signs }: WarningCandidate, { bias, weights }: WarningWeights): number {
  return signs.reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), bias);
}

/** What stands beside the statement that a sentence repeats, and statements of other passages with a word of it. */
export function listWarnings(
  said: Statement,
  { cited, others }: Ground,
  around: ReadonlySet<string> = new Set(),
): readonly WarningCandidate[] {
  const content = said.words.filter(({ isContent }) => isContent);
  if (content.length < 2) return [];
  const stems = new Set(content.map(({ stem }) => stem));
  const countShared = (one: Statement) =>
    [...stemsOf(one)].filter((stem) => stems.has(stem) && !lightWords.has(stem)).length;
  const ofSentence = {
    order: isStep(said, cited),
    "said-warns": isWarning(said.text),
    "said-code": said.code.length > 0,
  };
  return [...cited, ...others].flatMap(({ statements }, number) => {
    const isCited = number < cited.length;
    const step = takeMost(statements, countShared);
    if (step === undefined) return [];
    const at = statements.indexOf(step);
    const near = statements.slice(Math.max(0, at - warningReach), at + warningReach + 1);
    // "It rewrites the option; keep a copy": a part of the same statement.
    const parts = step.text.split(/;\s+/).map(readStatement);
    const main = parts.length > 1 ? takeMost(parts, countShared) : undefined;
    const apart = main === undefined ? [] : parts.filter((one) => one !== main);
    const candidates = isCited ? [...near.filter((one) => one !== step), ...apart] : statements;
    const deed = stemsOf(step);
    return candidates.flatMap((one): readonly WarningCandidate[] => {
      const shared = countShared(one);
      if (!isCited && shared === 0) return [];
      const own = [...stemsOf(one)].filter((stem) => !lightWords.has(stem));
      const beside = (isCited ? near : []).filter(
        (other) => other !== one && (other !== step || !apart.includes(one)),
      );
      const known = new Set(beside.flatMap(({ words }) => words.map(({ stem }) => stem)));
      const telling = own.filter((stem) => !known.has(stem));
      const needed = telling.length > 0 ? telling : own;
      if (needed.length === 0) return [];
      const covered = needed.filter((stem) => stems.has(stem) || around.has(stem)).length;
      const subject = one.words.find(({ isContent }) => isContent);
      const place = apart.includes(one) ? 0 : statements.indexOf(one) - at;
      const flags = {
        ...ofSentence,
        other: !isCited,
        own: isCited && place === 0,
        next: isCited && place === 1,
        before: isCited && place < 0,
        "step-order": beginsWithOrder(step, cited),
        warns: isWarning(one.text),
        first: ordersFirst(one, cited),
        reason: reasons.test(one.text),
        imperative: beginsWithOrder(one, cited),
        deed: isCited && own.some((stem) => deed.has(stem)),
        // "A restore overwrites newer data": what the same deed leads to.
        outcome: isCited && place === 1 && subject?.isId === false && deed.has(subject.stem),
        "warns-of-step": ofSentence.order && isWarning(one.text),
        figures: one.quantities.length + one.times.length > 1,
        code: one.code.length > 0,
      };
      return [
        {
          text: one.text,
          signs: [
            ["covered", covered / needed.length],
            ["share", countShared(step) / content.length],
            ["shared", Math.min(sameMatter, shared) / sameMatter],
            ["length", Math.min(1, one.words.length / longStatement)],
            ...Object.entries(flags).map(([name, is]) => [name, Number(is)] as const),
          ],
        },
      ];
    });
  });
}

function takeMost(
  statements: readonly Statement[],
  count: (one: Statement) => number,
): Statement | undefined {
  let [best, most] = [undefined as Statement | undefined, 0];
  for (const one of statements) {
    const own = count(one);
    if (own > most) [best, most] = [one, own];
  }
  return best;
}

function beginsWithOrder({ words }: Statement, cited: readonly ReadPassage[]): boolean {
  return words[0]?.isContent === true && isBaseVerb(words, cited);
}

/** "Shut the node down before": an order, and not what was seen first. */
function ordersFirst({ text, words }: Statement, cited: readonly ReadPassage[]): boolean {
  if (!firstDo.test(text)) return false;
  const from = words[0]?.isContent === true ? 0 : words.findIndex(({ part }) => part > 0);
  return words[from]?.isContent === true && isBaseVerb(words.slice(from), cited);
}

function stemsOf({ words }: Statement): ReadonlySet<string> {
  return new Set(words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
}

/** A step orders, at the beginning of a part of the sentence, or shows a command of the source. */
function isStep(said: Statement, cited: readonly ReadPassage[]): boolean {
  return (
    said.code.some((one) => one.includes(" ")) ||
    said.words.some(
      (word, at) =>
        said.words[at - 1]?.part !== word.part &&
        word.isContent &&
        !word.isId &&
        knows(cited, word.stem) &&
        isBaseVerb(said.words.slice(at), cited),
    ) ||
    repeatsOrder(said, cited)
  );
}

/** It has the verb of an order of the source, and most of what stands with it. */
function repeatsOrder(said: Statement, cited: readonly ReadPassage[]): boolean {
  const stems = new Set(said.words.map(({ stem }) => stem));
  return cited.some(({ statements }) =>
    statements.some(({ words }) =>
      words.some((word, at) => {
        if (!word.isContent || words[at - 1]?.part === word.part || !stems.has(word.stem))
          return false;
        if (!isBaseVerb(words.slice(at), cited)) return false;
        const rest = words.filter(({ part, isContent }) => part === word.part && isContent);
        return rest.filter(({ stem }) => stems.has(stem)).length * 3 > rest.length * 2;
      }),
    ),
  );
}

/** Whether a sentence begins with an order: no subject, no verb with an ending. */
function isBaseVerb(words: readonly Word[], cited: readonly ReadPassage[]): boolean {
  const [first, second] = words;
  if (first === undefined || /(?:s|ed|ing)$/.test(first.lower)) return false;
  if (second === undefined || second.isId) return false;
  if (/^(?:the|a|an|one|this|both|all|each|your)$/.test(second.lower)) return true;
  return !words.slice(1, 6).some(({ lower }, at, rest) => {
    if (isAuxiliary(lower)) return true;
    if (!/[^su]s$/.test(lower)) return false;
    return at === 0 ? !knows(cited, lower) : !isFunctionWord(rest[at - 1]?.lower ?? "");
  });
}
