import { numberWords } from "./number-words.js";
import type { Span } from "./span.js";

/** Milliseconds of units of time, by the first letters of their names. */
const unitMs: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/, 1],
  [/^mo/, 30 * 86_400_000],
  [/^m/, 60_000],
  [/^s/, 1_000],
  [/^h/, 3_600_000],
  [/^d/, 86_400_000],
  [/^w/, 7 * 86_400_000],
  [/^y/, 365 * 86_400_000],
];
/** Amounts in words: an article is one. */
const amounts: Readonly<Record<string, number>> = { a: 1, an: 1, ...numberWords };

/** Whether a word in lower case is a number, such as "two", or "a". */
export function isNumberWord(lower: string): boolean {
  return Object.hasOwn(amounts, lower);
}

type Parser = readonly [form: RegExp, toSpan: (found: RegExpMatchArray) => Span | undefined];

/** What is found first keeps its place: parsers stand in the order of what outweighs what. */
const parsers: readonly Parser[] = [
  [/```[^`]{1,4000}```|`[^`\n]{1,500}`/g, (found) => spanAt("code", found)],
  [/^\s{0,9}\$ [^\n]{1,500}/gm, (found) => spanAt("code", found)],
  [
    /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>()]{1,2000}/gi,
    (found) => {
      const text = withoutEnding(found[0]);
      const [host = "", ...path] = text.slice(text.indexOf("://") + 3).split("/");
      return {
        ...rangeAt(found, text),
        kind: "url",
        host: (host.split("@").at(-1) ?? "").replace(/:\d+$/, "").toLowerCase(),
        path: `/${path.join("/")}`,
      };
    },
  ],
  [
    /["“„]([^"“”„\n]{3,1000})["”“]|(?<=^|[\s(:])['‘]([^'’\n]{3,500})['’](?=$|[\s).,;?!])/g,
    (found) =>
      /\s/.test((found[1] ?? found[2] ?? "").trim()) ? spanAt("quote", found) : undefined,
  ],
  // A line of mail that is quoted, also behind "Forwarded:".
  [/(?<=^|: ?)>[^\n]{3,1000}/gm, (found) => spanAt("quote", found)],
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    (found) => spanAt("id", found),
  ],
  [
    /\bsha256:[0-9a-f]{6,64}\b|(?<![\w-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{10,64}(?![\w-])/g,
    (found) => spanAt("id", found),
  ],
  [/(?<![\w&])#\d{1,12}\b/g, (found) => spanAt("id", found)],
  [
    /\b(?:http(?: status)?|status(?: code)?|exit(?:ed)?(?: with)?(?: code| status)?|error(?: code)?|code|rc|errno)[ =:]{1,2}-?\d{1,5}\b|\b[45](?:\d\d|xx)s?\b(?! ?(?:%|ms|mi|gi|pods|replicas))/gi,
    (found) => spanAt("error-code", found),
  ],
  [
    /\b(?:E[A-Z]{4,20}|ERR_[A-Z_]{2,60}|[A-Z]{2,8}-\d{3,6}|NXDOMAIN|SERVFAIL|SIG[A-Z]{3,6})\b/g,
    (found) => spanAt("error-code", found),
  ],
  [
    /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
    (found) => spanAt("time", found),
  ],
  [
    /\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[ap]m)?(?: ?(?:utc|gmt|z|c?est|c?et|p[sd]t|e[sd]t))?\b|\b(?:1[0-2]|[1-9]) ?[ap]m\b|\b(?:noon|midnight)\b/gi,
    (found) => spanAt("time", found),
  ],
  [
    /\b(?:(?:last|past|this|next|yesterday|tomorrow|early|late) )?(?:night|morning|afternoon|evening|week(?:end)?|month|quarter|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\b(?:today|tonight|yesterday|tomorrow)\b/gi,
    (found) =>
      /^(?:week(?:end)?|month|quarter|year|night|morning|afternoon|evening)$/i.test(found[0])
        ? undefined
        : spanAt("time", found),
  ],
  [
    /(?<![\w.-])(\d{1,9}(?:\.\d{1,6})?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|(?:last|past|previous)(?= (?:second|minute|min|hour|day|week|month)s?\b))[ -]?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|years?)(?![\w-])/gi,
    (found) => {
      const [text, amount = "", unit = ""] = found;
      // "A m" and "an s" are not lengths of time.
      if (!/^\d/.test(amount) && unit.length < 3) return undefined;
      const ms = unitMs.find(([form]) => form.test(unit.toLowerCase()))?.[1] ?? 0;
      const count = amounts[amount.toLowerCase()] ?? Number.parseFloat(amount);
      return {
        ...rangeAt(found, text),
        kind: "duration",
        ms: (Number.isNaN(count) ? 1 : count) * ms,
      };
    },
  ],
  [
    /(?<![\w.-])(?:~|\.{1,2})?\/(?:[\w.@%+*-]{1,255}\/){0,30}[\w.@%+*-]{1,255}\/?|(?<![\w.-])(?:[\w.-]{1,255}\/){2,30}[\w.-]{0,255}|\b[\w-]{1,100}\.(?:ya?ml|json|md|txt|log|conf|cfg|toml|sh|py|ts|js|go|sql|csv|tf|env)\b/gi,
    (found) => ({ ...rangeAt(found, withoutEnding(found[0])), kind: "path" }),
  ],
  [
    /(?<![\w@.-])(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?::\d{2,5})?(?![\w-])|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}|\/\d{1,2})?\b/gi,
    (found) => spanAt("host", found),
  ],
  [
    /(?<![\w.#/-])[-+]?(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,9})? ?(%|[KMGTP]i?B?(?![\w-])|[munk](?![\w-])|(?:percent|cores?|cpus?|bytes|[kmgt]b|eur|usd|euros?|dollars?)\b|[€$£])?(?![\w/-]|\.\d)/gi,
    (found) => {
      const [text, whole = "", fraction = "", unit = ""] = found;
      const value = Number(`${whole.replaceAll(",", "")}${fraction}`);
      return { ...rangeAt(found, text.trimEnd()), kind: "number", value, unit };
    },
  ],
];

type PlainKind = "host" | "path" | "code" | "quote" | "error-code" | "id" | "time";

function spanAt(kind: PlainKind, found: RegExpMatchArray): Span {
  return { ...rangeAt(found, found[0]), kind };
}

function rangeAt(found: RegExpMatchArray, text: string) {
  const start = found.index ?? 0;
  return { text, start, end: start + text.length };
}

/** An address or path without the punctuation of the sentence behind it. */
function withoutEnding(text: string): string {
  let end = text.length;
  while (end > 1 && ".,:;!?)".includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Finds what parsers recognise in a text: addresses, paths, code, quotations, error codes, ids, times, durations and
 * numbers. In order, without overlap.
 *
 * @param isTaken - Ranges that something else has, such as a name: nothing is found in them.
 */
export function findSpans(
  text: string,
  isTaken: (start: number, end: number) => boolean = () => false,
): readonly Span[] {
  const spans: Span[] = [];
  // A place of the text each: with thousands of numbers in it, to look at every span for every other one takes seconds.
  const isFound = new Uint8Array(text.length);
  for (const [form, toSpan] of parsers) {
    for (const found of text.matchAll(form)) {
      const span = toSpan(found);
      if (
        span !== undefined &&
        !isTaken(span.start, span.end) &&
        !isFound.subarray(span.start, span.end).includes(1)
      ) {
        spans.push(span);
        isFound.fill(1, span.start, span.end);
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}
