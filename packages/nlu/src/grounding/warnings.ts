import { isAuxiliary, isFunctionWord } from "../grammar/function-words.js";

import { type Ground, knows, type ReadPassage } from "./ground.js";
import { lightWords } from "./items.js";
import type { Statement, Word } from "./read-statement.js";

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
/** It refers to a deed that stands before. */
const refersBack =
  /\b(?:do (?:it|so|this|that)|beforehand|vorher|zuvor|dabei|lo haga|antes de ello)\b/i;

const warningReach = 2;
/** Share of what a warning tells that has to be said: of one beside the step, and of one in another passage. */
const [minCovered, minOfOther] = [0.3, 0.5];

/**
 * The warning that belongs to a step, where neither the step nor the text around it has it: a statement beside the step
 * that warns, says what to do before, or says what the same deed leads to; or one of another passage that warns of it.
 *
 * @param around - Stems of the text that the sentence stands in.
 */
export function findMissingWarning(
  said: Statement,
  { cited, others, names }: Ground,
  around: ReadonlySet<string> = new Set(),
): string | undefined {
  const content = said.words.filter(({ isContent }) => isContent);
  if (content.length < 2 || isWarning(said.text)) return undefined;
  const isOrder = isStep(said, cited);
  const stems = new Set(content.map(({ stem }) => stem));
  const sharedWith = (one: Statement) => [...stemsOf(one)].filter((stem) => stems.has(stem));
  const isMissing = (warning: Statement, near: readonly Statement[], enough: number) => {
    const all = [...stemsOf(warning)].filter((stem) => !lightWords.has(stem));
    const besides = new Set(
      near.filter((one) => one !== warning).flatMap(({ words }) => words.map(({ stem }) => stem)),
    );
    const telling = all.filter((stem) => !besides.has(stem));
    const needed = telling.length > 0 ? telling : all;
    const covered = needed.filter((stem) => stems.has(stem) || around.has(stem)).length;
    return needed.length > 0 && covered / needed.length < enough;
  };
  const steps = cited.flatMap(({ statements }) => {
    let [step, most] = [-1, 0];
    for (const [at, one] of statements.entries()) {
      const shared = sharedWith(one).length;
      if (shared > most) [step, most] = [at, shared];
    }
    const order = statements[step];
    if (order === undefined) return [];
    const near = statements.slice(Math.max(0, step - warningReach), step + warningReach + 1);
    return { order, near, next: statements[step + 1], deed: stemsOf(order) };
  });
  const findNear = (belongs: (one: Statement, step: (typeof steps)[number]) => boolean) => {
    for (const step of steps)
      for (const one of step.near)
        if (one !== step.order && belongs(one, step) && isMissing(one, step.near, minCovered))
          return one.text;
    return undefined;
  };
  const isOfDeed = (one: Statement, deed: ReadonlySet<string>) =>
    [...stemsOf(one)].some((stem) => deed.has(stem) && !names.has(stem));
  // What stands behind a statement and refers to its deed belongs to it, whether or not that orders anything.
  if (!isOrder)
    return findNear(
      (one, { next, deed }) =>
        one === next && isWarning(one.text) && (refersBack.test(one.text) || isOfDeed(one, deed)),
    );
  return (
    findNear((one) => isWarning(one.text)) ??
    // A warning of another passage has two words of the step, or a name of it.
    [...cited, ...others]
      .flatMap(({ statements }) => statements)
      .find((one) => {
        if (!isWarning(one.text) && !ordersFirst(one, cited)) return false;
        const shared = sharedWith(one).filter((stem) => !lightWords.has(stem));
        return (
          (shared.length > 1 || shared.some((stem) => names.has(stem))) &&
          isMissing(one, [], minOfOther)
        );
      })?.text ??
    // What stands beside a command and is about the same deed says what it leads to.
    findNear(
      (one, { next, deed }) => one === next && (ordersFirst(one, cited) || isOfDeed(one, deed)),
    )
  );
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
