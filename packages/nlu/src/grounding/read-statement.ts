import { isFunctionWord, isNegator } from "../grammar/function-words.js";
import { isForeignFunctionWord } from "./foreign-words.js";
import {
  readFraction,
  readPer,
  readScale,
  toMonth,
  toNumber,
  toUnit,
  toWeekday,
  type Unit,
  writeClocks,
} from "./units.js";

/** A number of a statement, with what it counts. */
export interface Quantity {
  readonly value: number;
  readonly units: readonly Unit[];
  /** What it is counted by: "per square metre", "a year". */
  readonly per: Unit | undefined;
  /** "More than", "at least": 1. "Up to", "below": -1. */
  readonly bound: -1 | 0 | 1;
  /** Place among the words of the statement. */
  readonly at: number;
  /** Number of the part of the sentence, from 0. */
  readonly part: number;
}

/** A time of day, a month or a day of the week. */
export interface TimeMention {
  readonly kind: "clock" | "month" | "weekday";
  readonly text: string;
  readonly at: number;
  readonly part: number;
}

/** A word of a statement. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  /** The same for all forms of a word: `promote`, `promoted`, `promotion`. */
  readonly stem: string;
  /** `worker-3`, `shop/web`, `RE7`: compared whole. */
  readonly isId: boolean;
  readonly isContent: boolean;
  /** In the reach of a denial: behind its cue, to the end of the part of the sentence. */
  isDenied: boolean;
  /** Number of the part of the sentence, from 0. */
  readonly part: number;
  readonly isFirst: boolean;
}

/** What a sentence says, as far as words, numbers and grammar tell. */
export interface Statement {
  readonly text: string;
  readonly words: readonly Word[];
  readonly quantities: readonly Quantity[];
  /** Times of day, `09:14:22`, months and days of the week, with the place of each among the words. */
  readonly times: readonly TimeMention[];
  /** Commands and code in backticks, and options such as `--force`. */
  readonly code: readonly string[];
  /** Parts in which something is denied, by number. */
  readonly deniedParts: ReadonlySet<number>;
  /** A denial with nothing behind it: "the others do not". */
  readonly hasBareDenial: boolean;
}

const piece =
  /`([^`]{1,600})`|(?<![\w-])(--[a-z][\w-]{0,60})|(\d{4})-(\d{2})-(\d{2})(?:T(?=\d)|\b)|(?<![\d:])(\d{1,2}:\d{2}(?::\d{2})?)Z?(?!:?\d)|(?<![\p{L}\p{N}_])([$€£₹¥])?[-+]?(\d{1,3}(?:,\d{3}){1,5}(?!\d)|\d{1,2}(?:,\d{2}){1,5},\d{3}(?!\d)|\d{1,15})(\.\d{1,9})?(?![\d])(?:(?= ?°[CF])|(?![\p{L}\p{N}_]*[-.]\p{L}|[\p{L}\p{N}_]+\/\p{L})(?![\p{L}_]*\d))|[\p{L}\p{N}_]{1,80}(?:[-./=:@'’]{1,2}[\p{L}\p{N}_]{1,80}){0,12}|[,;:|.!?()]/gu;

const ups = new Set(
  "above over more exceed exceeds exceeded exceeding higher greater larger longer least min minimum beyond after since über mehr mindestens nach más sobre mínimo".split(
    " ",
  ),
);
const downs = new Set(
  "below under less fewer smaller lower shorter cheaper most max maximum within until before unter weniger höchstens bis vor menos máximo hasta bajo".split(
    " ",
  ),
);
const contrasts = new Set(
  "but though although while whereas because if unless where when so then until aber weil wenn obwohl und and pero porque si y as".split(
    " ",
  ),
);
const falseValues = /^(?:false|no|none|null|off|disabled|0)$/;

/** Words of comparison, which a denial before them turns round. */
const compared =
  /^(?:more|less|fewer|above|over|below|under|exceed\w*|higher|greater|larger|longer|lower|shorter|mehr|weniger|über|unter|más|menos)$/;

/** The day of a month: it counts nothing. */
const day: Unit = { name: "date", dimension: "date", factor: 1 };

/** "A normal one", "the other one": no number. */
const refersBack = /(?:^| )(?:an?|the|this|that|which|each|every)(?: \S{1,20}){0,2} $/i;

/** Direction of a word: 1 for "above", -1 for "below". */
export function directionOf(lower: string): -1 | 0 | 1 {
  return ups.has(lower) ? 1 : downs.has(lower) ? -1 : 0;
}

/** Reads one sentence. Takes time in proportion to its length. */
export function readStatement(text: string): Statement {
  const sentence = writeClocks(text);
  const words: Word[] = [];
  const quantities: Quantity[] = [];
  const times: TimeMention[] = [];
  const code: string[] = [];
  const deniedParts = new Set<number>();
  let part = 0;
  let denying = false;
  let sinceCue = 0;
  let hasBareDenial = false;
  let behindUnit = 0;
  let currency: Unit | undefined;
  const endPart = () => {
    if (denying && sinceCue === 0) hasBareDenial = true;
    denying = false;
    part++;
  };
  const add = (text: string, isId: boolean) => {
    const lower = text.toLowerCase();
    const isContent =
      isId || (!isFunctionWord(lower) && !isForeignFunctionWord(lower) && directionOf(lower) === 0);
    if (isContent && denying) sinceCue++;
    words.push({
      text,
      lower,
      stem: isId ? lower : toStem(lower),
      isId,
      isContent,
      isDenied: denying,
      part,
      isFirst: words.length === 0,
    });
  };
  const boundBefore = (): -1 | 0 | 1 => {
    for (let back = 1; back <= 3; back++) {
      const word = words.at(-back);
      if (word === undefined || word.part !== part) return 0;
      if (word.lower === "to" && words.at(-back - 1)?.lower === "up") return -1;
      const direction = directionOf(word.lower);
      if (direction !== 0) {
        // "No more than", "must not exceed": the other direction.
        const isDenied =
          /^(?:no|not|nicht|nie|never)$/.test(words.at(-back - 1)?.lower ?? "") ||
          (word.isDenied && compared.test(word.lower));
        return isDenied ? (direction === 1 ? -1 : 1) : direction;
      }
      if (
        !/^(?:than|of|the|at|about|is|as|als|de|von)$/.test(word.lower) &&
        toUnit(word.lower) === undefined
      )
        return 0;
    }
    return 0;
  };
  const isDay = (value: number, before: TimeMention | undefined, behind: string) => {
    if (value < 1 || value > 31 || !Number.isInteger(value)) return false;
    if (before?.kind === "month" && before.at === words.length && before.part === part) return true;
    const next = /^(?:\.|st|nd|rd|th)? (?:of |de )?(\p{L}{3,10})(?!\p{L})/u.exec(behind)?.[1];
    return next !== undefined && toMonth(lower(next)) !== undefined;
  };
  const count = (value: number, besides: readonly (Unit | undefined)[], end: number) => {
    const behind = sentence.slice(end, end + 40);
    const two = /^[ -]?(\p{L}{1,12}\.? \p{L}{1,12})(?!\p{L})/u.exec(behind)?.[1];
    const one = /^[ -]?(°[CF]|%|[€£$]|\p{L}{1,14}[²³]?)(?![\p{L}\p{N}])/u.exec(behind)?.[1];
    const isTwo = toUnit(two ?? "") !== undefined;
    const named = (isTwo ? two : one) ?? "";
    const found = readScale(behind) ?? toUnit(named);
    if (found !== undefined) behindUnit = end + 1 + named.length;
    const before = currency;
    currency = undefined;
    const all = [found, before, ...besides].filter((unit) => unit !== undefined);
    if (all.length === 0 && isDay(value, times.at(-1), behind)) all.push(day);
    const per = readPer(sentence.slice(end, end + 60));
    quantities.push({ value, units: all, per, bound: boundBefore(), at: words.length, part });
    // "statuses[0]" counts nothing.
    if (value === 0 && sentence[end] !== "]") {
      denying = true;
      sinceCue = 0;
      deniedParts.add(part);
    }
  };
  const pushPlain = (value: number, units: readonly Unit[]) =>
    quantities.push({ value, units, per: undefined, bound: 0, at: words.length, part });
  const pushTime = (kind: TimeMention["kind"], text: string) =>
    times.push({ kind, text, at: words.length, part });
  const lower = (text: string | undefined) => (text ?? "").toLowerCase();

  for (const found of sentence.matchAll(piece)) {
    const [all, ticked, option, year, month, monthDay, clock, symbol, whole, fraction] = found;
    const end = found.index + all.length;
    if (end <= behindUnit && /\p{L}/u.test(all)) continue;
    if (ticked !== undefined || option !== undefined) {
      const text = ticked ?? option ?? "";
      code.push(text);
      // Code is compared verbatim; its numbers are no words besides.
      for (const one of text.matchAll(/(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]{0,79}/gu))
        add(one[0], false);
      for (const one of text.split(/[\s=]+/))
        if (/\d/.test(one) && /^\p{L}[\p{L}\p{N}_./:@-]{1,80}$/u.test(one)) add(one, true);
      for (const one of text.matchAll(/(?<=[\s=])\d{1,15}(?:\.\d{1,9})?(?!\S)/g))
        pushPlain(Number(one[0]), []);
    } else if (year !== undefined) {
      pushPlain(Number(year), []);
      pushPlain(Number(monthDay), [day]);
      pushTime("month", String(Number(month)));
    } else if (clock !== undefined) {
      pushTime("clock", clock.padStart(clock.length + (clock.indexOf(":") === 1 ? 1 : 0), "0"));
    } else if (whole !== undefined) {
      count(
        Number(whole.replaceAll(",", "") + (fraction ?? "")),
        symbol === undefined ? [] : [toUnit(symbol)],
        end,
      );
    } else if (/^[,;:|.!?()]$/.test(all)) {
      endPart();
    } else {
      const plain = all.replace(/['’]s$/i, "");
      const own = lower(plain);
      // key=value
      const [, key, value] = /^([\p{L}\p{N}_.-]{1,80})=(.{1,200})$/u.exec(plain) ?? [];
      if (key !== undefined && value !== undefined) {
        add(plain, true);
        const denied = falseValues.test(lower(value));
        if (denied) deniedParts.add(part);
        for (const one of toWords(key)) {
          add(one, false);
          const word = words.at(-1);
          if (word !== undefined) word.isDenied = denied;
        }
        if (/^\d{1,15}(?:\.\d{1,9})?$/.test(value)) {
          const keyed = key
            .toLowerCase()
            .split("_")
            .map(toUnit)
            .filter((unit) => unit !== undefined);
          pushPlain(Number(value), keyed);
        } else if (!denied) addNamed(value, add);
        continue;
      }
      const joined = /^(\d{1,15}(?:\.\d{1,9})?)([a-z]{1,3})$/i.exec(plain);
      const joinedUnit = toUnit(joined?.[2] ?? "");
      if (joined !== null && joinedUnit !== undefined) {
        quantities.push({
          value: Number(joined[1]),
          units: [joinedUnit],
          per: readPer(sentence.slice(end, end + 60)),
          bound: boundBefore(),
          at: words.length,
          part,
        });
        continue;
      }
      const monthOf = /^\p{Lu}/u.test(plain) ? toMonth(own) : undefined;
      if (monthOf !== undefined && (own.length > 3 || /\d/.test(sentence))) {
        if (
          own !== "may" ||
          /\d ?$|^ ?\d/.test(`${sentence.slice(Math.max(0, found.index - 3), found.index)}`) ||
          /^ \d/.test(sentence.slice(end, end + 2))
        ) {
          pushTime("month", String(monthOf));
          continue;
        }
      }
      const weekday = toWeekday(plain);
      if (weekday !== undefined) pushTime("weekday", String(weekday));
      const fraction = readFraction(own, sentence.slice(end, end + 20));
      if (fraction !== undefined) {
        count(fraction.value, [fraction.unit], end + fraction.length);
        behindUnit = Math.max(behindUnit, end + fraction.length);
        continue;
      }
      const spelled = toNumber(own);
      if (
        spelled !== undefined &&
        (spelled > 2 || words.at(-1)?.lower !== "the") &&
        !(own === "twice" && / as$/.test(sentence.slice(end, end + 3))) &&
        !(
          own === "one" &&
          refersBack.test(sentence.slice(Math.max(0, found.index - 30), found.index))
        ) &&
        (own !== "one" ||
          /^ (?:second|minute|hour|day|week|month|year)|^[.;,]?$/.test(
            sentence.slice(end, end + 9),
          ))
      ) {
        count(spelled, [], end);
        continue;
      }
      if (
        /^(?:eur|usd|gbp|inr|rs|chf|jpy)$/.test(own) &&
        /^[. ]{1,2}\d/.test(sentence.slice(end, end + 3))
      ) {
        currency = toUnit(own);
        continue;
      }
      if (own === "no" && /^\.? ?\d/.test(sentence.slice(end, end + 3))) continue;
      if (/^(?:false|none|falso)$/.test(own)) {
        // "Memory pressure false": a record denies what stands before.
        for (const word of words) if (word.part === part) word.isDenied = true;
        deniedParts.add(part);
      }
      if (isDenial(own, lower(sentence.slice(end, end + 9)))) {
        add(plain, false);
        deniedParts.add(part);
        denying = true;
        sinceCue = 0;
        continue;
      }
      const isBorder =
        contrasts.has(own) && !/^(?:by|until|since|as)$/.test(words.at(-1)?.lower ?? "");
      // "Not while a backup runs": what is denied stands behind.
      const isDeniedAlone = denying && sinceCue === 0 && isDenial(words.at(-1)?.lower ?? "", "");
      if (isBorder && !isDeniedAlone && words.at(-1)?.part === part) endPart();
      addNamed(plain, add);
    }
  }
  endPart();
  return { text, words, quantities, times, code, deniedParts, hasBareDenial };
}

function isDenial(lower: string, behind: string): boolean {
  if (
    /^(?:keine?[nmrs]?|nicht|nie|niemals|ohne|nunca|sin|ni|tampoco|jamás|ningun[oa]|ningún|keinerlei)$/.test(
      lower,
    )
  )
    return true;
  return (
    isNegator(lower) &&
    !/^ (?:longer|only|just|matter|more|later|less|sooner|fewer|earlier)\b/.test(behind)
  );
}

/** Adds a name with dashes or slashes whole and its parts; words joined by a dash are two words. */
function addNamed(text: string, add: (text: string, isId: boolean) => void): void {
  const isId = /\d/.test(text) ? /\p{L}/u.test(text) : /[/.@=:]/.test(text.replace(/[.:]$/, ""));
  if (!isId) {
    for (const one of toWords(text)) add(one, false);
    return;
  }
  add(text, true);
  const pieces = text.split(/[/=@:]/);
  if (pieces.length === 1) return;
  for (const one of pieces) {
    if (/\d/.test(one)) add(one, true);
    else for (const word of toWords(one)) add(word, false);
  }
}

function toWords(text: string): readonly string[] {
  if (/['’]/.test(text)) return [text];
  return text
    .replace(/(?<=[a-z])(?=[A-Z][a-z])/g, "-")
    .split(/[-_./:]/)
    .filter((one) => one !== "");
}

const endings = /(?:ings?|ions?|ments?|ied|ies|als?|edly|ed|ers?|es|ly|en|em|e|y|s|n)$/;

/** "Gegrillt", "angemeldet": what marks a participle stands within the word. */
const participle =
  /^(an|ab|auf|aus|ein|bei|mit|nach|vor|weg|zu|um|ver|be)?ge(\p{Ll}{3,20})(?:t|en)$/u;

/** The same for most forms of a word in English, and for many in German and Spanish. */
export function toStem(lower: string): string {
  const base = lower.replace(/'s$/, "").replace(/s$/, "").replace(participle, "$1$2");
  if (base.length < 4) return base === "use" ? "us" : base.length < 3 ? lower : base;
  const cut = base.replace(endings, "");
  const stem = cut.length < 2 ? lower : cut;
  return stem.replace(/([bdfglmnprt])\1$/, "$1").slice(0, 6);
}
