import { isFunctionWord, isTotal } from "../grammar/function-words.js";
import { findSpans } from "../spans/find-spans.js";
import { bias, weights } from "./alignment-weights.js";
import { computeComparison } from "./compare-values.js";
import { dropsDenial, softDenials } from "./denials.js";
import { isDerived } from "./derived-numbers.js";
import { countLanguages } from "./foreign-words.js";
import { createGround, fold, type Ground, knows, type ReadPassage } from "./ground.js";
import { measureSwap } from "./measure-swap.js";
import { directionOf, type Quantity, readStatement, type Statement } from "./read-statement.js";
import { measureSupport } from "./support.js";
import { listValues, type Value } from "./values.js";

/** Why a sentence does not align with what it cites; `warning`: it does, and a warning that belongs to it is missing. */
export type Misalignment =
  | "too-long"
  | "language"
  | "code"
  | "number"
  | "unit"
  | "time"
  | "name"
  | "unknown-words"
  | "elsewhere"
  | "denial"
  | "direction"
  | "comparison"
  | "subject"
  | "total"
  | "warning";

/** Maximum number of characters of one sentence. */
export const maxSentence = 1_000;

/**
 * Says why a sentence does not follow from the passages it cites: by its code, numbers, units, times, names, denials,
 * directions and totals.
 *
 * @param others - Passages that it does not cite: what is only in them speaks against the citation.
 * @returns Nothing where it aligns.
 */
export function alignSentence(
  sentence: string,
  cited: readonly ReadPassage[],
  others: readonly ReadPassage[] = [],
): readonly Misalignment[] {
  return alignWith(readStatement(sentence), createGround(cited, others));
}

/** As {@link alignSentence}, with what all sentences of a text share. */
export function alignWith(
  said: Statement,
  ground: Ground,
  allows: readonly Misalignment[] = [],
): readonly Misalignment[] {
  if (said.text.length > maxSentence) return ["too-long"];
  const outright = findOutright(said, ground);
  if (outright !== undefined && !allows.includes(outright)) return [outright];
  const isVerbatim = ground.cited.some(({ folded }) => folded.includes(fold(said.text).trim()));
  if (isVerbatim && said.words.length > 2) return [];
  const signs = readSigns(said, ground).filter(
    ({ why }) => why === undefined || !allows.includes(why),
  );
  if (signs.reduce((total, one) => total + weigh(one), bias) <= 0) return [];
  const against = signs.filter((one) => weigh(one) > 0).sort((a, b) => weigh(b) - weigh(a));
  return [...new Set(against.flatMap(({ why }) => why ?? []))];
}

function weigh({ name, value }: Sign): number {
  return value * (weights[name] ?? 0);
}

/** What speaks for or against a sentence, with how strongly. */
export interface Sign {
  readonly name: string;
  readonly value: number;
  /** What it says against the sentence where its weight counts against it. */
  readonly why?: Misalignment;
}

/** Reads what speaks for and against a sentence. */
export function readSigns(said: Statement, ground: Ground): readonly Sign[] {
  const values = listValues(said);
  const comparison = computeComparison(said, values, ground.values, ground.statements);
  const checks: readonly (readonly [Misalignment, boolean])[] = [
    ["language", isOtherLanguage(said, ground)],
    ["unit", hasOtherUnit(said, ground)],
    ["time", hasOtherTime(said, ground)],
    ["name", hasOtherName(said, ground)],
    ["direction", isOtherDirection(said, ground)],
    ["total", isOverall(said, ground)],
    ["comparison", comparison === "denied"],
  ];
  const support = measureSupport(said, ground);
  const swap = measureSwap(said, values, ground.values, ground.names);
  const others = values.filter(
    ({ quantity, key, kind, size }) =>
      quantity !== undefined &&
      !ground.values.some(
        (one) => one.quantity !== undefined && isSame(one, { key, kind, size }),
      ) &&
      !(size === 0 && ground.hasDenial) &&
      !(quantity.value === 1 && quantity.units.length > 0) &&
      !ground.words.some(
        ({ isId, lower }) => isId && lower.replace(/\D+/g, "") === String(quantity.value),
      ) &&
      !(
        /^(?:at|until|from|to|till|um|bis|von|las|after|before|between|and)$/.test(
          said.words[quantity.at - 1]?.lower ?? "",
        ) &&
        ground.values.some(
          ({ kind, size: one }) => kind === "clock" && one === quantity.value * 3_600,
        )
      ),
  );
  const computed = others.filter((one) =>
    isDerived(one, said, ground.values, ground.statements),
  ).length;
  return [
    ...checks.flatMap(([why, isSo]) => (isSo ? [{ name: why, value: 1, why }] : [])),
    { name: "other-number", value: Math.min(2, others.length - computed), why: "number" },
    { name: "computed", value: Number(computed > 0) },
    { name: "wide-swap", value: Number(swap > 0.6), why: "subject" },
    { name: "overall", value: Number(isWider(said, ground)), why: "total" },
    { name: "not-denied", value: Number(dropsDenial(said, ground)), why: "denial" },
    { name: "denied", value: support.denied, why: "denial" },
    { name: "denied-within", value: support.deniedWithin, why: "denial" },
    { name: "denies-too", value: support.deniesToo },
    { name: "exchanged", value: support.exchanged, why: "subject" },
    { name: "replaced", value: support.replaced, why: "subject" },
    { name: "bare", value: support.bare, why: "unknown-words" },
    { name: "elsewhere", value: support.elsewhere, why: "elsewhere" },
    { name: "novel", value: support.novel, why: "unknown-words" },
    { name: "novel-words", value: support.novelWords, why: "unknown-words" },
    { name: "novel-denies-too", value: support.novel * support.deniesToo },
    { name: "bare-square", value: support.bare ** 2 },
  ];
}

/** The same number, or the same size in another unit: "half an hour" and "30 minutes". */
function isSame(a: Pick<Value, "key" | "kind" | "size">, b: typeof a): boolean {
  return (
    a.key === b.key ||
    (a.kind === b.kind && a.kind !== "number " && Math.abs(a.size - b.size) < 1e-9 * a.size)
  );
}

const days = /^(?:night|day|week|month|year|morning|tag|nacht|días?)$/;
/** Words for all of something. */
const overall =
  /^(?:all|every|everyone|everybody|everything|everywhere|anywhere|any|whole|entire|alle[rsn]?|jede[rsnm]?|immer|nie|überall|ganze[nrs]?|tod[oa]s?|siempre|nunca|cualquier|enter[oa])$/;
const besides = /^(?:others?|else|rest|anderen?|übrigen|demás)$/;
const isNever = /^(?:never|nie|niemals|nunca|jamás)$/;

/** Whether a statement with a word of the sentence denies something: "never" may then say the same. */
function isDeniedThere({ words: own }: Statement, statements: readonly Statement[]): boolean {
  const told = new Set(own.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  return statements.some(({ words, deniedParts }) =>
    words.some(({ part, stem, isDenied }) => (isDenied || deniedParts.has(part)) && told.has(stem)),
  );
}

/** It speaks of all or every, and the statement that has most of its words does not. */
function isWider(said: Statement, { statements }: Ground): boolean {
  const isAll = said.words.some(
    ({ lower, isDenied }, at) =>
      overall.test(lower) &&
      !isDenied &&
      !besides.test(said.words[at + 1]?.lower ?? "") &&
      !(isNever.test(lower) && isDeniedThere(said, statements)) &&
      said.words[at - 1]?.lower !== "at" &&
      !days.test(said.words[at + 1]?.lower ?? "") &&
      !said.quantities.some((one) => one.at === at + 1),
  );
  if (!isAll) return false;
  const told = new Set(said.words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  return !statements.some(
    ({ words }) =>
      words.some(
        ({ lower }, at) => overall.test(lower) && !besides.test(words[at + 1]?.lower ?? ""),
      ) && words.some(({ stem }) => told.has(stem)),
  );
}

function isOtherLanguage(said: Statement, { cited, language }: Ground): boolean {
  const own = countLanguages(
    said.words.filter(({ lower }) => !knows(cited, lower)).map(({ lower }) => lower),
    isFunctionWord,
  );
  if (language === undefined) return false;
  return language === "en" ? own.de + own.es > 0 : own.en > 1;
}

/** What alone speaks against a sentence: code of its own, or nothing in common with what it cites. */
export function findOutright(said: Statement, ground: Ground): Misalignment | undefined {
  if (hasOtherCode(said, ground)) return "code";
  const content = said.words.filter(({ isContent }) => isContent);
  const hasNone =
    content.length > 0 &&
    content.every(
      ({ isId, lower, stem }) => !isId && !knows(ground.cited, lower) && !knows(ground.cited, stem),
    );
  return hasNone && said.quantities.length === 0 && said.times.length === 0
    ? "unknown-words"
    : undefined;
}

function hasOtherCode({ code }: Statement, { cited }: Ground): boolean {
  return code.some((one) => !cited.some(({ folded }) => folded.includes(fold(one).trim())));
}

function hasOtherUnit(said: Statement, { quantities }: Ground): boolean {
  return said.quantities.some(({ value, units, per }) => {
    const same = quantities.filter((one) => one.value === value);
    if (
      per !== undefined &&
      same.length > 0 &&
      same.every((one) => one.per !== undefined && one.per.name !== per.name)
    )
      return true;
    if (units.length === 0) return false;
    const measuresAll = same.length > 0 && same.every((one) => one.units.length > 0);
    return units.some(({ name, dimension }) => {
      if (same.some((one) => one.units.some((unit) => unit.name === name))) return false;
      const isOther = same.some((one) => one.units.some((unit) => unit.dimension === dimension));
      return isOther || (measuresAll && dimension !== "currency");
    });
  });
}

function hasOtherTime(said: Statement, { cited, statements, stems }: Ground): boolean {
  const relative = findSpans(said.text).filter(
    ({ kind, text }) =>
      kind === "time" && !/\d/.test(text) && readStatement(text).times.length === 0,
  );
  if (
    relative.some(
      ({ text }) =>
        !readStatement(text).words.some(
          ({ stem, lower, isContent }) => (isContent && stems.has(stem)) || knows(cited, lower),
        ),
    )
  )
    return true;
  const times = statements.flatMap((one) => one.times);
  return said.times.some(
    ({ kind, text }) => !times.some((one) => one.kind === kind && one.text.startsWith(text)),
  );
}

function hasOtherName(said: Statement, { cited, language }: Ground): boolean {
  return said.words.some((word, at) => {
    if (!word.isContent || knows(cited, word.lower) || knows(cited, word.stem)) return false;
    if (word.isId && cited.some(({ folded }) => folded.includes(word.text))) return false;
    if (word.isId) return !word.lower.split(/[/=@:]/).every((part) => knows(cited, part));
    if (/^\p{Lu}/u.test(word.text) && !word.isFirst && readStatement(word.text).times.length === 0)
      return (
        language !== "de" || /^(?:frau|herr|señora?|sra|sr)$/.test(said.words[at - 1]?.lower ?? "")
      );
    return false;
  });
}

function isOtherDirection(
  said: Statement,
  { statements, quantities: known, stems }: Ground,
): boolean {
  const hasSoft =
    said.words.some(({ stem }) => softDenials.has(stem) && !stems.has(stem)) ||
    said.deniedParts.size > 0;
  for (const quantity of said.quantities) {
    if (quantity.bound === 0 || hasSoft) continue;
    const same = known.filter(({ value, bound }) => value === quantity.value && bound !== 0);
    if (same.length === 0 || same.some(({ bound }) => bound === quantity.bound)) continue;
    if (boundByReference(said, quantity, statements)) continue;
    if (statements.some((one) => namesOtherSide(one, quantity))) continue;
    return true;
  }
  return false;
}

/** "Level 3 above 2,200 m, level 2 below", "48 hours ahead; later ones in full": both sides of a number are spoken of. */
function namesOtherSide({ words, quantities }: Statement, { value, bound }: Quantity): boolean {
  const limit = quantities.find((one) => one.value === value);
  if (limit === undefined) return false;
  return words.some(
    ({ lower }, at) =>
      at >= limit.at &&
      (directionOf(lower) === bound || /^(?:later|earlier|später|früher)$/.test(lower)) &&
      !quantities.some((one) => one.at > at && one.at <= at + 2),
  );
}

/** "Up to 200 by the lead, above that by finance": the second bound is of the same number. */
function boundByReference(
  said: Statement,
  { bound }: Quantity,
  statements: readonly Statement[],
): boolean {
  const stems = new Set(said.words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  return statements.some(({ words }) => {
    const at = words.findIndex(
      ({ lower }, place) =>
        directionOf(lower) === bound && /^(?:that|this|it)$/.test(words[place + 1]?.lower ?? ""),
    );
    if (at < 0) return false;
    const part = words[at]?.part;
    return words.some((word) => word.part === part && word.isContent && stems.has(word.stem));
  });
}

/** "All", "never" and the like that no cited passage says. */
function isOverall(said: Statement, { statements, words: sources }: Ground): boolean {
  const isAlways = (lower: string) => /^(?:always|ever|immer|siempre)$/.test(lower);
  const hasTotal = sources.some(
    ({ lower }) =>
      isTotal(lower) || /^(?:jede\w?|alle\w?|tod[oa]s?|daily|täglich|both)$/.test(lower),
  );
  const hasAlways = sources.some(
    ({ lower }) => isAlways(lower) || isNever.test(lower) || lower === "all",
  );
  return said.words.some(({ lower, isDenied }, at) => {
    if (isAlways(lower)) return !hasAlways;
    if (isNever.test(lower)) return !hasAlways && !isDeniedThere(said, statements);
    if (isDenied || !/^(?:all|every|each|any|jede\w?|alle\w?|tod[oa]s?)$/.test(lower)) return false;
    const next = said.words[at + 1]?.lower ?? "";
    // "All four": a number says how many.
    if (said.quantities.some((one) => one.at === at + 1)) return false;
    return !hasTotal && !days.test(next);
  });
}
