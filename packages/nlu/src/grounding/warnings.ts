import { isAuxiliary, isFunctionWord } from "../grammar/function-words.js";

import { type Ground, knows, type ReadPassage } from "./ground.js";
import { lightWords } from "./items.js";
import type { Statement, Word } from "./read-statement.js";

const warns =
  /\b(?:never|do not|don['’]t|must not|warning|caution|danger|beware|be careful|make sure|only after|only when|otherwise|sonst|andernfalls|de lo contrario|nie|niemals|achtung|vorsicht|gefahr|warnung|nunca|no debe|advertencia|cuidado|peligro)\b/i;

/** It warns, or denies that something may be done. */
function isWarning(text: string): boolean {
  return (
    warns.test(text) || (/\b(?:darf|dürfen|sollten?)\b/i.test(text) && /\bnicht\b/i.test(text))
  );
}

/** Statements around a step in which a warning belongs to it. */
const warningReach = 2;

/**
 * The warning that belongs to a step, where neither the step nor the text around it has it.
 *
 * @param around - Stems of the text that the sentence stands in.
 */
export function findMissingWarning(
  said: Statement,
  { cited }: Ground,
  around: ReadonlySet<string> = new Set(),
): string | undefined {
  const content = said.words.filter(({ isContent }) => isContent);
  if (content.length < 2 || isWarning(said.text)) return undefined;
  const stems = new Set(content.map(({ stem }) => stem));
  // A step orders, at the beginning or behind "to do this" and "after that", or shows a command of the source.
  const isOrder = (at: number) => {
    const word = said.words[at];
    const isBeginning = word !== undefined && said.words[at - 1]?.part !== word.part;
    return (
      isBeginning &&
      word.isContent &&
      !word.isId &&
      knows(cited, word.stem) &&
      isBaseVerb(said.words.slice(at), cited)
    );
  };
  const opens = /^(?:to|before|after|um|vor|nach|para|antes|después)$/.test(
    said.words[0]?.lower ?? "",
  );
  const isStep =
    said.code.length > 0 ||
    said.words.some((_, at) => (at === 0 || opens) && isOrder(at)) ||
    repeatsOrder(said, cited);
  if (!isStep) return undefined;
  const stemsOf = ({ words }: Statement) =>
    new Set(words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  for (const { statements } of cited) {
    let [step, most] = [-1, 0];
    for (const [at, one] of statements.entries()) {
      const shared = [...stemsOf(one)].filter((stem) => stems.has(stem)).length;
      if (shared > most) [step, most] = [at, shared];
    }
    if (step < 0) continue;
    const near = statements.slice(Math.max(0, step - warningReach), step + warningReach + 1);
    for (const warning of near) {
      if (!isWarning(warning.text)) continue;
      const all = [...stemsOf(warning)].filter((stem) => !lightWords.has(stem));
      const besides = new Set(
        near.filter((one) => one !== warning).flatMap(({ words }) => words.map(({ stem }) => stem)),
      );
      const telling = all.filter((stem) => !besides.has(stem));
      const needed = telling.length > 0 ? telling : all;
      const covered = needed.filter((stem) => stems.has(stem) || around.has(stem)).length;
      if (needed.length > 0 && covered / needed.length < 0.3) return warning.text;
    }
  }
  return undefined;
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
