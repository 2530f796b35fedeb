import { isAuxiliary, isFunctionWord, isTotal } from "../grammar/function-words.js";
import { findSpans } from "../spans/find-spans.js";
import { isCommonWord } from "../text/common-words.js";
import { countLanguages, isForeignFunctionWord, type Language } from "./foreign-words.js";
import {
  directionOf,
  type Quantity,
  readStatement,
  type Statement,
  toStem,
  type Word,
} from "./read-statement.js";
import { splitStatements } from "./split-statements.js";

/** A text that a sentence may rest on: a passage, a fact or a line of evidence. */
export interface Passage {
  readonly id: string;
  readonly text: string;
}

/** Why a sentence does not align with what it cites. */
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
  | "order"
  | "role"
  | "total"
  | "warning";

/** A passage, read once for all sentences. */
export interface ReadPassage {
  readonly id: string;
  readonly statements: readonly Statement[];
  readonly folded: string;
  readonly stems: ReadonlySet<string>;
  readonly lowers: ReadonlySet<string>;
}

/** Maximum number of characters of one sentence, and of one passage. */
const maxSentence = 1_000;
const maxPassage = 20_000;
/** Share of words that may be in no passage, and number of words from which it counts. */
const maxUnknown = 0.6;
const tellingWords = 4;

/** Reads passages; what is beyond 20,000 characters of one is not read. */
export function readPassages(passages: readonly Passage[]): readonly ReadPassage[] {
  return passages.map(({ id, text }) => {
    const statements = splitStatements(text.slice(0, maxPassage)).map(readStatement);
    const words = statements.flatMap((statement) => statement.words);
    return {
      id,
      statements,
      folded: fold(text.slice(0, maxPassage)),
      stems: new Set(words.map(({ stem }) => stem)),
      lowers: new Set(words.map(({ lower }) => lower)),
    };
  });
}

function fold(text: string): string {
  // A source's cells and code are compared without their marks: one side may be Markdown, the other plain.
  return text.replace(/[\s|`]+/g, " ").replace(/\\(?=[<>])/g, "");
}

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
  return alignWith(sentence, createGround(cited, others));
}

/** As {@link alignSentence}, with what all sentences of a text share. */
export function alignWith(sentence: string, ground: Ground): readonly Misalignment[] {
  if (sentence.length > maxSentence) return ["too-long"];
  const said = readStatement(sentence);
  const isVerbatim = ground.cited.some(({ folded }) => folded.includes(fold(sentence).trim()));
  if (isVerbatim && said.words.length > 2)
    return findMissingWarning(said, ground) === undefined ? [] : ["warning"];
  const checks: readonly (readonly [Misalignment, (said: Statement, ground: Ground) => boolean])[] =
    [
      ["language", isOtherLanguage],
      ["code", hasOtherCode],
      ["number", hasOtherNumber],
      ["unit", hasOtherUnit],
      ["time", hasOtherTime],
      ["name", hasOtherName],
      ["unknown-words", isUnknown],
      ["elsewhere", isElsewhere],
      ["denial", isDeniedOtherwise],
      ["direction", isOtherDirection],
      ["order", isOtherOrder],
      ["role", isOtherRole],
      ["total", isOverall],
      ["warning", (one, given) => findMissingWarning(one, given) !== undefined],
    ];
  return checks.filter(([, fails]) => fails(said, ground)).map(([why]) => why);
}

/** What the cited passages say, read once for all sentences of a text. */
export interface Ground {
  readonly cited: readonly ReadPassage[];
  readonly others: readonly ReadPassage[];
  readonly statements: readonly Statement[];
  readonly words: readonly Word[];
  readonly quantities: readonly Quantity[];
  readonly stems: ReadonlySet<string>;
  readonly language: Language;
  /** Stems of what is denied, or stands in a part that denies something. */
  readonly nearDenials: ReadonlySet<string>;
  /** Stems of what stands in a part that denies nothing. */
  readonly affirmed: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  readonly orders: ReadonlySet<string>;
  readonly roles: readonly Role[];
}

export function createGround(
  cited: readonly ReadPassage[],
  others: readonly ReadPassage[] = [],
): Ground {
  const statements = cited.flatMap((one) => one.statements);
  const words = statements.flatMap((one) => one.words);
  const counts = countLanguages(
    words.map(({ lower }) => lower),
    isFunctionWord,
  );
  const stemsWhere = (isIn: (word: Word, denied: ReadonlySet<number>) => boolean) =>
    new Set(
      statements.flatMap(({ words: own, deniedParts }) =>
        own.filter((word) => isIn(word, deniedParts)).map(({ stem }) => stem),
      ),
    );
  return {
    cited,
    others,
    statements,
    words,
    quantities: statements.flatMap((one) => one.quantities),
    stems: new Set(words.map(({ stem }) => stem)),
    language: counts.de + counts.es <= counts.en ? "en" : counts.de > counts.es ? "de" : "es",
    nearDenials: stemsWhere(({ isDenied, part }, denied) => isDenied || denied.has(part)),
    affirmed: stemsWhere(({ isDenied, part }, denied) => !isDenied && !denied.has(part)),
    pairs: new Set(statements.flatMap(pairsOf)),
    orders: new Set(statements.flatMap(ordersOf)),
    roles: statements.flatMap(rolesOf),
  };
}

function isOtherLanguage(said: Statement, { cited, language }: Ground): boolean {
  const own = countLanguages(
    said.words.filter(({ lower }) => !knows(cited, lower)).map(({ lower }) => lower),
    isFunctionWord,
  );
  return language === "en" ? own.de + own.es > 0 : own.en > 1;
}

function knows(passages: readonly ReadPassage[], word: string): boolean {
  return passages.some(({ stems, lowers }) => lowers.has(word) || stems.has(word));
}

function hasOtherCode({ code }: Statement, { cited }: Ground): boolean {
  return code.some((one) => !cited.some(({ folded }) => folded.includes(fold(one).trim())));
}

function hasOtherNumber(said: Statement, { quantities, nearDenials }: Ground): boolean {
  return said.quantities.some(
    ({ value }) =>
      !quantities.some((one) => one.value === value) && !(value === 0 && nearDenials.size > 0),
  );
}

function hasOtherUnit(said: Statement, { quantities }: Ground): boolean {
  return said.quantities.some(({ value, units }) => {
    if (units.length === 0) return false;
    const same = quantities.filter((one) => one.value === value);
    const measuresAll = same.length > 0 && same.every((one) => one.units.length > 0);
    return units.some(({ name, dimension }) => {
      if (same.some((one) => one.units.some((unit) => unit.name === name))) return false;
      const isOther = same.some((one) => one.units.some((unit) => unit.dimension === dimension));
      return isOther || (measuresAll && dimension !== "currency");
    });
  });
}

function hasOtherTime(said: Statement, { statements, stems }: Ground): boolean {
  const relative = findSpans(said.text).filter(
    ({ kind, text }) => kind === "time" && !/\d/.test(text),
  );
  if (
    relative.some(
      ({ text }) =>
        !readStatement(text).words.some(({ stem, isContent }) => isContent && stems.has(stem)),
    )
  )
    return true;
  const times = statements.flatMap((one) => one.times);
  const months = new Set(statements.flatMap((one) => one.months));
  if (said.months.some((month) => !months.has(month))) return true;
  if (said.times.some(({ text }) => !times.some((one) => one.text.startsWith(text)))) return true;
  // One value at one time: both in one part of a source.
  const [time] = said.times;
  const counted = said.quantities.filter(({ units }) => units.length > 0);
  const [one] = counted;
  if (time === undefined || one === undefined || said.times.length > 1 || counted.length > 1)
    return false;
  return statements.some((source) => {
    const pairs = source.quantities.filter(
      ({ value, units }) => value === one.value && units.length > 0,
    );
    const timesThere = source.times;
    if (
      pairs.length === 0 ||
      timesThere.length < 2 ||
      source.quantities.filter(({ units }) => units.length > 0).length < 2
    )
      return false;
    const isTimed = pairs.every(({ part }) => timesThere.some((there) => there.part === part));
    return (
      isTimed &&
      !pairs.some(({ part }) =>
        timesThere.some((there) => there.part === part && there.text.startsWith(time.text)),
      )
    );
  });
}

function hasOtherName(said: Statement, { cited, language }: Ground): boolean {
  return said.words.some((word, at) => {
    if (!word.isContent || knows(cited, word.lower) || knows(cited, word.stem)) return false;
    if (word.isId) return !word.lower.split(/[/=@:]/).every((part) => knows(cited, part));
    if (/^\p{Lu}/u.test(word.text) && !word.isFirst)
      return (
        language !== "de" || /^(?:frau|herr|señora?|sra|sr)$/.test(said.words[at - 1]?.lower ?? "")
      );
    return false;
  });
}

/** Words of content that no cited passage has. */
function unknownWords(said: Statement, passages: readonly ReadPassage[]): Statement["words"] {
  return said.words.filter(
    ({ isContent, isId, lower, stem }) =>
      isContent && !isId && !knows(passages, lower) && !knows(passages, stem),
  );
}

function isUnknown(said: Statement, { cited, statements, language }: Ground): boolean {
  const content = said.words.filter(({ isContent, isId }) => isContent && !isId);
  const unknown = unknownWords(said, cited);
  const isBare = said.quantities.length === 0 && said.times.length === 0 && said.words.length < 6;
  if (
    isBare &&
    content.length < tellingWords &&
    unknown.length * 2 >= content.length &&
    unknown.length > 0
  )
    return true;
  if (content.length >= tellingWords && unknown.length / content.length > maxUnknown) return true;
  if (content.length > 0 && unknown.length === content.length && said.quantities.length === 0)
    return true;
  if (language !== "en") return false;
  // A rare word names something.
  return unknown.some(
    (word) =>
      !/(?:ed|ing|ly)$/.test(word.lower) &&
      !isCommonForm(word.lower) &&
      replacesWord(word, said, statements),
  );
}

/** It stands behind a word that is followed by something else in the source, which the sentence lacks. */
function replacesWord(word: Word, said: Statement, statements: readonly Statement[]): boolean {
  const content = said.words.filter(({ isContent }) => isContent);
  const before = content[content.indexOf(word) - 1];
  const stems = new Set(content.map(({ stem }) => stem));
  if (before === undefined || before.isId) return false;
  return statements.some(({ words }) => {
    const own = words.filter(({ isContent }) => isContent);
    return own.some(
      ({ stem }, at) =>
        stem === before.stem && own[at + 1] !== undefined && !stems.has(own[at + 1]?.stem ?? ""),
    );
  });
}

function isCommonForm(lower: string): boolean {
  if (isCommonWord(lower) || isForeignFunctionWord(lower)) return true;
  const forms = [/s$/, /es$/, /d$/, /ed$/, /ing$/, /ly$/, /er$/, /n$/, /r$/].map((ending) =>
    lower.replace(ending, ""),
  );
  return forms.some((form) => form !== lower && (isCommonWord(form) || isCommonWord(`${form}e`)));
}

/** Most of what no cited passage has is in another one. */
function isElsewhere(said: Statement, { cited, others }: Ground): boolean {
  const missing = said.words.filter(
    ({ isContent, lower, stem }) => isContent && !knows(cited, lower) && !knows(cited, stem),
  );
  const found = missing.filter(({ lower, stem }) => knows(others, lower) || knows(others, stem));
  // The subject is another passage's.
  const subject = said.words.find(({ isContent }) => isContent);
  if (subject?.isFirst === true && found.includes(subject)) return true;
  return found.length > 1 && found.length * 2 >= missing.length;
}

const softDenials = new Set(
  "down lost lose forbid prohibit refus lack want empt stop end laps avoid prevent unabl imposs away instead fail miss free exempt rather except verbot prohib"
    .split(" ")
    .map(toStem),
);
const lightWords = new Set("us add get tak make giv com go do need allow run".split(" "));

/** One part of a source denies most of what a sentence denies. */
function isDeniedTogether(told: ReadonlySet<string>, { statements }: Ground): boolean {
  return statements.some((source) =>
    [...new Set(source.words.map(({ part }) => part))].some((part) => {
      const own = source.words.filter((word) => word.part === part);
      const there = new Set(own.map(({ stem }) => stem));
      if (!source.deniedParts.has(part) && !own.some(({ stem }) => softDenials.has(stem)))
        return false;
      return [...told].filter((stem) => there.has(stem)).length * 2 >= told.size;
    }),
  );
}

function isDeniedOtherwise(said: Statement, ground: Ground): boolean {
  const { statements, stems: all, nearDenials: loose, affirmed } = ground;
  const deniedHere = said.words.filter((word) => word.isDenied && word.isContent);
  const hasSoftSource = [...all].some((stem) => softDenials.has(stem));
  const saidStems = new Set(said.words.map(({ stem }) => stem));

  // What the sentence denies is not denied by the source.
  for (const part of said.deniedParts) {
    const reach = deniedHere.filter((word) => word.part === part && all.has(word.stem));
    const judged =
      reach.length > 0
        ? reach
        : said.words.filter((word) => word.part === part && word.isContent && all.has(word.stem));
    if (judged.length > 0 && !judged.some(({ stem }) => loose.has(stem)) && !hasSoftSource)
      return true;
    const told = new Set(judged.map(({ stem }) => stem));
    if (told.size > 1 && !isDeniedTogether(told, ground)) return true;
  }
  // What the source denies is said without the denial.
  if (said.hasBareDenial) return false;
  const softHere = said.words.some(({ stem }) => softDenials.has(stem) && !all.has(stem));
  if (softHere) return false;
  const supposed = new Set(
    said.words
      .filter(
        ({ lower, part }, at) =>
          said.words[at - 1]?.part !== part &&
          /^(?:if|when|while|once|wenn|sobald|si|cuando)$/.test(lower),
      )
      .map(({ part }) => part),
  );
  const open = new Set(
    said.words
      .filter(
        ({ part, isContent, isDenied }) =>
          isContent && !isDenied && !said.deniedParts.has(part) && !supposed.has(part),
      )
      .map(({ stem }) => stem),
  );
  const anyDenied = new Set(
    said.words
      .filter(({ part, isDenied }) => isDenied || said.deniedParts.has(part))
      .map(({ stem }) => stem),
  );
  return statements.some((source) =>
    [...source.deniedParts].some((part) => {
      const denied = source.words
        .filter((word) => word.part === part && word.isDenied && word.isContent)
        .map(({ stem }) => stem);
      const telling = denied.filter((stem) => !lightWords.has(stem));
      const reach = [...new Set(telling.length > 0 ? telling : denied)];
      if (reach.length === 0) return false;
      const repeated = reach.filter((stem) => saidStems.has(stem));
      return (
        repeated.length * 2 > reach.length &&
        repeated.every((stem) => open.has(stem) && !anyDenied.has(stem)) &&
        !repeated.every((stem) => affirmed.has(stem))
      );
    }),
  );
}

function isOtherDirection(
  said: Statement,
  { cited, statements, quantities: known, stems }: Ground,
): boolean {
  const hasSoft =
    said.words.some(({ stem }) => softDenials.has(stem) && !stems.has(stem)) ||
    said.deniedParts.size > 0;
  for (const quantity of said.quantities) {
    if (quantity.bound === 0 || hasSoft) continue;
    const same = known.filter(({ value, bound }) => value === quantity.value && bound !== 0);
    if (same.length === 0 || same.some(({ bound }) => bound === quantity.bound)) continue;
    if (boundByReference(said, quantity, statements)) continue;
    return true;
  }
  return comparesWrongly(said, cited);
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

const rises =
  /^(?:up|rose|rise[sn]?|increased?|grew|climbed|higher|more|above|over|exceeds?|greater|larger|longer)$/;
const falls =
  /^(?:down|fell|falls?|fallen|decreased?|dropped|sank|lower|less|fewer|below|under|cheaper|smaller|shorter)$/;

/** Verbs and adverbs of a change from one value to the next. */
const moves =
  /^(?:up|rose|rise[sn]?|increased?|grew|climbed|down|fell|falls?|fallen|decreased?|dropped|sank)$/;

/** A comparison of two named things, or of two times, that the numbers of the source deny. */
function comparesWrongly(said: Statement, cited: readonly ReadPassage[]): boolean {
  const at = said.words.findIndex(({ lower }) => rises.test(lower) || falls.test(lower));
  const word = said.words[at];
  if (word === undefined) return false;
  const sign = rises.test(word.lower) ? 1 : -1;
  const statements = cited.flatMap((one) => one.statements);
  // Between two times.
  const [first, second] = said.times;
  if (first !== undefined && second !== undefined && said.quantities.length === 0) {
    const valueAt = (time: string) => {
      for (const { quantities, times } of statements) {
        const there = times.find(({ text }) => text.startsWith(time));
        if (there === undefined) continue;
        return quantities.find(({ units, part }) => units.length > 0 && part === there.part)?.value;
      }
      return undefined;
    };
    const [a, b] = [valueAt(first.text), valueAt(second.text)];
    return a !== undefined && b !== undefined && a !== b && Math.sign(b - a) !== sign;
  }
  const before = said.quantities.filter((one) => one.at <= at && one.units.length > 0).at(-1);
  const behind = said.quantities.find((one) => one.at > at && one.units.length > 0);
  if (
    before !== undefined &&
    behind !== undefined &&
    before.units.some(({ name }) => behind.units.some((unit) => unit.name === name))
  )
    return (
      before.value !== behind.value &&
      Math.sign(before.value - behind.value) !== (moves.test(word.lower) ? -sign : sign)
    );
  if (said.quantities.some(({ bound, units }) => bound !== 0 && units.length > 0)) return false;
  const left = said.words.slice(0, at).filter(({ isContent }) => isContent);
  const right = said.words.slice(at + 1).filter(({ isContent }) => isContent);
  // Two passages, each about one side.
  const about = (words: typeof left, numbers: readonly Quantity[]) =>
    cited
      .map((passage) => ({
        passage,
        score:
          words.filter(({ lower, stem }) => passage.lowers.has(lower) || passage.stems.has(stem))
            .length +
          numbers.filter(({ value }) =>
            passage.statements.some(({ quantities }) =>
              quantities.some((one) => one.value === value),
            ),
          ).length,
      }))
      .toSorted((a, b) => b.score - a.score);
  const sidesOf = (before: boolean) => said.quantities.filter((one) => one.at <= at === before);
  const [l] = about(left, sidesOf(true));
  const [r] = about(right, sidesOf(false));
  if (l !== undefined && r !== undefined && l.passage !== r.passage && cited.length > 1) {
    const values = (passage: ReadPassage) =>
      passage.statements.flatMap(({ quantities }) =>
        quantities.filter(({ units }) => units.length > 0),
      );
    const pairs = values(l.passage).flatMap((a) =>
      values(r.passage)
        .filter((b) => a.units.some(({ name }) => b.units.some((unit) => unit.name === name)))
        .map((b) => Math.sign(a.value - b.value)),
    );
    return pairs.length > 0 && pairs.some((one) => one === -sign);
  }
  // Two labelled numbers of one passage: "cpu 93%, target 70%".
  const labelled = (words: typeof left) => {
    for (const { quantities, words: own } of statements) {
      for (const { value, at: place } of quantities) {
        const label = own[place - 1];
        if (label?.isContent === true && words.some(({ stem }) => stem === label.stem))
          return value;
      }
    }
    return undefined;
  };
  const [a, b] = [labelled(left), labelled(right)];
  return a !== undefined && b !== undefined && a !== b && Math.sign(a - b) !== sign;
}

/** "From 6 to 10" told as "from 10 to 6"; "before you drain" told as "after it is drained". */
function isOtherOrder(said: Statement, { pairs, orders }: Ground): boolean {
  return (
    pairsOf(said).some((pair) => {
      const [a = "", b = ""] = pair.split(" ");
      return pairs.has(`${b} ${a}`) && !pairs.has(pair);
    }) ||
    ordersOf(said).some((order) => {
      const [preposition, stem = ""] = order.split(" ");
      return (
        orders.has(`${preposition === "after" ? "before" : "after"} ${stem}`) && !orders.has(order)
      );
    })
  );
}

/** The numbers of "from 6 to 10", with a space between. */
function pairsOf({ text }: Statement): readonly string[] {
  return Array.from(
    text.matchAll(/\bfrom (\d{1,15}(?:\.\d{1,9})?)[ \p{L}%]{0,12} to (\d{1,15}(?:\.\d{1,9})?)/gu),
    ([, a = "", b = ""]) => `${a} ${b}`,
  );
}

/** What stands behind "before" and "after", each with it. */
function ordersOf({ words }: Statement): readonly string[] {
  return words.flatMap(({ lower }, at) => {
    if (lower !== "before" && lower !== "after") return [];
    const next = words.slice(at + 1, at + 6).find(({ isContent }) => isContent);
    return next === undefined ? [] : [`${lower} ${next.stem}`];
  });
}

interface Role {
  readonly preposition: string;
  readonly name: string;
}

/** The same preposition before another of the names of the source: "for A" told as "for B". */
function isOtherRole(said: Statement, { cited, roles }: Ground): boolean {
  const ids = new Set(said.words.filter(({ isId }) => isId).map(({ lower }) => lower));
  if (ids.size === 0) return false;
  return rolesOf(said).some(
    ({ preposition, name }) =>
      knows(cited, name) &&
      !roles.some((one) => one.preposition === preposition && one.name === name) &&
      roles.some(
        (one) => one.preposition === preposition && one.name !== name && ids.has(one.name),
      ),
  );
}

/** Words that make one preposition with the next: "because of A" says nothing about what is of A. */
const compound = /^(?:because|due|out|instead|ahead|owing|thanks|according|regardless)$/;

function rolesOf({ words }: Statement): readonly Role[] {
  return words.flatMap(({ lower }, at) => {
    const name = words[at + 1];
    const isRole =
      /^(?:for|to|from|by|of|on|in)$/.test(lower) && !compound.test(words[at - 1]?.lower ?? "");
    return name?.isContent === true && isRole ? [{ preposition: lower, name: name.lower }] : [];
  });
}

/** "All", "never" and the like that no cited passage says. */
function isOverall(said: Statement, { statements, words: sources }: Ground): boolean {
  const isAlways = (lower: string) => /^(?:never|always|ever|immer|nie|siempre|nunca)$/.test(lower);
  const hasTotal = sources.some(
    ({ lower }) =>
      isTotal(lower) || /^(?:jede\w?|alle\w?|tod[oa]s?|daily|täglich|both)$/.test(lower),
  );
  const hasAlways =
    sources.some(({ lower }) => isAlways(lower)) ||
    statements.some(
      ({ text, deniedParts }) =>
        deniedParts.size > 0 && /\b(?:must|do not|darf|debe)\b/i.test(text),
    );
  return said.words.some(({ lower, isDenied }, at) => {
    if (isAlways(lower)) return !hasAlways;
    if (isDenied || !/^(?:all|every|each|any|jede\w?|alle\w?|tod[oa]s?)$/.test(lower)) return false;
    const next = said.words[at + 1]?.lower ?? "";
    return !hasTotal && !/^(?:night|day|week|month|year|morning|tag|nacht|días?)$/.test(next);
  });
}

const warns =
  /\b(?:never|do not|don['’]t|must not|warning|caution|make sure|only after|nie|niemals|nicht|achtung|warnung|nunca|no debe|advertencia|cuidado)\b/i;

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
  if (content.length < 2 || warns.test(said.text)) return undefined;
  const stems = new Set(content.map(({ stem }) => stem));
  // A step orders, or shows a command of the source.
  const [first] = said.words;
  const isStep =
    said.code.length > 0 ||
    (first?.isContent === true && knows(cited, first.stem) && isBaseVerb(said, cited));
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
      if (!warns.test(warning.text)) continue;
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

/** Whether a sentence begins with an order: no subject, no verb with an ending. */
function isBaseVerb({ words }: Statement, cited: readonly ReadPassage[]): boolean {
  const [first, second] = words;
  if (first === undefined || /(?:s|ed|ing)$/.test(first.lower)) return false;
  if (second === undefined || second.isId) return false;
  if (/^(?:the|a|an|one|this)$/.test(second.lower)) return true;
  return !words.slice(1, 6).some(({ lower }, at, rest) => {
    if (isAuxiliary(lower)) return true;
    if (!/[^su]s$/.test(lower)) return false;
    return at === 0 ? !knows(cited, lower) : !isFunctionWord(rest[at - 1]?.lower ?? "");
  });
}
