import { stripVTControlCharacters } from "node:util";
import { isSecretName, redacted, secretWords } from "./secret-names.js";

/** How much text is looked at, and how much of it is given. */
export interface RedactOptions {
  /** Most characters given; a longer text ends in `…`. @default 2000 */
  readonly maxLength?: number;
}

/** Most characters of one text that are looked at. A longer one is cut first. */
const longestText = 1_048_576;

/** Values that are secret wherever they stand, and what is put there. Each takes linear time. */
const secretValues: readonly (readonly [RegExp, string])[] = [
  // A block that was cut off hides everything after its first line.
  [
    /(-----BEGIN [A-Z0-9 ]{1,40}-----)[\s\S]*?(-----END [A-Z0-9 ]{1,40}-----|(?![\s\S]))/g,
    `$1${redacted}$2`,
  ],
  // A JWT, or JSON in base64 as in the credentials of an image registry.
  [/\beyJ[\w+/-]{8,}={0,2}(?:\.[\w-]+){0,4}/g, redacted],
  [/\$2[abxy]\$\d\d\$[\w./]{53}/g, redacted],
  [/(hooks\.slack\.com\/services\/)[\w/]+/g, `$1${redacted}`],
  [/([?&](?:sig|signature|x-amz-signature)=)[\w%+/=-]+/gi, `$1${redacted}`],
  [/((?:^|\s)-u\s{1,3})[^\s:"']{1,128}:[^\s"']+/gm, `$1${redacted}`],
  [/(\bidentified by\s{1,3}["'])[^"'\n]+/gi, `$1${redacted}`],
  [/(\b(?:set-)?cookie:\s{0,3})[^\r\n"']+/gi, `$1${redacted}`],
  [/\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}\b/g, redacted],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|dckr_pat_|hvs\.|hf_)[\w-]{16,}/g, redacted],
  [/\bxox[abeoprs]-[\w-]{10,}/g, redacted],
  [/\bAIza[\w-]{30,}/g, redacted],
  [/\b[sr]k[-_][\w-]{16,}/g, redacted],
  [/\bSG\.[\w-]{16,}\.[\w-]{16,}/g, redacted],
  // User information of a URL, and of a data source name of Go.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>[]+(?:@[^\s/@"'<>]*)*@(?=[\w[(])/gi, `$1${redacted}@`],
  [/(^|[\s"'=,([])[\w.-]{1,64}:[^\s@/"'[]{1,128}@(?=[\w-]+\()/gm, `$1${redacted}@`],
];

const authorization =
  /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)(?:(bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,3})?([^\s"'\\,;]+)/gi;
const element = new RegExp(`(<[\\w:.-]{0,40}?(?:${secretWords})[\\w:.-]{0,40}>)[^<]+`, "gi");
const scheme = /\b(bearer|basic)(\s{1,3})([\w.~+/=-]{8,})/gi;
const flag = new RegExp(`(--?[\\w-]{0,40}(?:${secretWords})[\\w-]{0,40}\\s{1,3})(?=[^\\s-])`, "gi");
/** A name and what parts it from its value. The name is looked at again, with its ending. */
const assignment = new RegExp(
  `((?:${secretWords}|(?<![a-z0-9])(?:auth|pass))[\\w.-]{0,64})(\\\\{0,3}["'\`]?([^\\S\\n]{0,3})(?:=>|:=|[:=])[^\\S\\n]{0,3})`,
  "gi",
);
/** `name: DB_PASSWORD, value: x`, as variables of containers are written. */
const variable = new RegExp(
  `(name\\\\{0,3}["']?\\s{0,3}[:=]\\s{0,3}\\\\{0,3}["']?[\\w.-]{0,64}?(?:${secretWords})[\\w.-]{0,64}\\\\{0,3}["']?\\s{0,3},?\\s{0,40}\\\\{0,3}["']?value\\\\{0,3}["']?\\s{0,3}[:=]\\s{0,3})`,
  "gi",
);
/** Words after `token:` that make it a sentence and not a value. */
const prose =
  /^(?:secrets?|configmaps?|not|missing|invalid|expired|failed|required|error|unknown|cannot|could|must|no|none|nil|null|true|false|is|was|are|the|a|an|forbidden|unauthorized|authentication|denied|empty|unable|failure|does|has|for|from|expected|unexpected|couldn't|can't|serviceaccounts?|pods?|context|timeout|timed|connection|rpc|lookup|exit)(?=[\s:,.;)\]]|$)/i;
/** An authorization header whose credentials are hidden already. */
const headerDone = /^[\w-]{1,20} \[REDACTED\]/;
const long = /(?<![\w+/=-])[A-Za-z0-9+/_-]{40,}={0,2}/g;

/**
 * Makes text of a cluster fit to be shown: no secrets, no control characters, not too long.
 *
 * Tokens, passwords, keys, connection strings, JWTs, PEM blocks, user information in URLs and AWS keys
 * become `[REDACTED]`; names, quotes and punctuation around them stay, so that JSON stays JSON. Colours,
 * control and invisible characters go; line breaks and tabs stay. What comes out is still untrusted text:
 * quote it. Redacting twice changes nothing more.
 */
export function redact(text: string, options: RedactOptions = {}): string {
  const { maxLength = 2_000 } = options;
  const clean = redactValues(plain(text.slice(0, longestText)));
  if (clean.length <= maxLength && text.length <= longestText) return clean;
  return cutAt(clean, Math.max(0, Math.min(maxLength, clean.length) - 1));
}

/** Text without colours, control and invisible characters; line breaks are `\n`. */
export function plain(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

function cutAt(text: string, length: number): string {
  const high = text.charCodeAt(length - 1);
  return `${text.slice(0, high >= 0xd800 && high <= 0xdbff ? length - 1 : length)}…`;
}

function redactValues(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of secretValues) clean = clean.replace(pattern, replacement);
  clean = clean.replace(authorization, (_, before: string, kind: string | undefined) =>
    kind === undefined ? `${before}${redacted}` : `${before}${kind} ${redacted}`,
  );
  clean = clean.replace(scheme, (all, kind: string, gap: string, value: string) =>
    /\d|[=.]|[a-z][A-Z]/.test(value) ? `${kind}${gap}${redacted}` : all,
  );
  clean = clean.replace(element, `$1${redacted}`);
  clean = redactAfter(clean, flag, () => true);
  clean = redactAfter(clean, variable, () => true);
  clean = redactAfter(clean, assignment, (match, rest) => {
    const [, name = "", , gap = ""] = match;
    if (!isSecretName(name) || prose.test(rest) || headerDone.test(rest)) return false;
    // `volume "secret" : secret "x"` is how the kubelet writes; JSON would quote the value.
    return gap === "" || match[0].includes("=") || /^[\\"'\d]/.test(rest);
  });
  return clean.replace(long, (value) => (looksRandom(value) ? redacted : value));
}

type Judge = (match: RegExpExecArray, rest: string) => boolean;

/** Redacts the value that follows each match that is judged to name a secret. */
function redactAfter(text: string, pattern: RegExp, isSecret: Judge): string {
  let clean = "";
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index + match[0].length;
    if (!isSecret(match, text.slice(start, start + 32))) continue;
    const value = valueFrom(text, start, keyQuote.exec(match[0])?.[1] ?? "");
    clean += text.slice(done, value.start) + (value.end > value.start ? value.shown : "");
    done = value.end;
    pattern.lastIndex = Math.max(value.end, pattern.lastIndex);
  }
  return clean + text.slice(done);
}

/** The quote that closes a name, escaped or not. */
const keyQuote = /(\\{0,3}["'])\s{0,3}[:=]\s{0,3}$/;

interface Value {
  readonly start: number;
  readonly end: number;
  /** What is put in its place. */
  readonly shown: string;
}

/**
 * Where a value begins and ends, without the quotes around it. After a name in quotes it is JSON, and stays
 * JSON: a bare value gets quotes, a list keeps its brackets, an object is left to the names in it.
 */
function valueFrom(text: string, start: number, key: string): Value {
  const opening = /\\{0,3}["'`]/y;
  opening.lastIndex = start;
  const quote = opening.exec(text)?.[0];
  if (quote !== undefined) {
    const from = start + quote.length;
    return { start: from, end: quotedEnd(text, from, quote), shown: redacted };
  }
  const shown = `${key}${redacted}${key}`;
  if (key === "" || text.startsWith(redacted, start)) {
    return { start, end: bareEnd(text, start), shown };
  }
  if (text[start] === "{") return { start, end: start, shown };
  if (text[start] === "[") return { start: start + 1, end: listEnd(text, start + 1, key), shown };
  return { start, end: bareEnd(text, start), shown };
}

/** Where the list ends whose first item begins at `from`. */
function listEnd(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== "]") {
    if (text.startsWith(quote, at)) at = quotedEnd(text, at + quote.length, quote) + quote.length;
    else at++;
  }
  return Math.min(at, text.length);
}

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at;
    // An escaped character is part of the value, unless the quotes themselves are escaped.
    if (text[at] === "\\" && quote.length === 1) at++;
  }
  return text.length;
}

/** A value without quotes ends at white space, or where the next name or the end of a structure comes. */
function bareEnd(text: string, start: number): number {
  if (text.startsWith(redacted, start)) return start;
  const value = /(?:[^\s"'`&;,]|[&;,](?!\s|$|[\w.-]{1,64}[=:]))+/y;
  value.lastIndex = start;
  const found = value.exec(text)?.[0] ?? "";
  let length = found.length;
  while (length > 0 && ")]}>,;.".includes(found[length - 1] ?? "")) length--;
  return start + length;
}

/** Long text of mixed case with digits is a key; paths, names, digests and ids are not. */
function looksRandom(value: string): boolean {
  const upper = value.match(/[A-Z]/g)?.length ?? 0;
  const lower = value.match(/[a-z]/g)?.length ?? 0;
  const digits = value.match(/\d/g)?.length ?? 0;
  return upper >= 6 && lower >= 6 && digits >= 1;
}
