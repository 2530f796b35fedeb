import { sanitizeText, truncateText } from "./sanitize-text.js";
import { secretForms } from "./secret-forms.js";
import { isSecretName, redacted, secretWords } from "./secret-names.js";
import { redactProse } from "./secret-prose.js";
import { keyQuote, valueFrom } from "./secret-value.js";

/** How much of a text {@link redactSecrets} returns. */
export interface RedactOptions {
  /**
   * Maximum length of the result, in UTF-16 code units, integer, 1 or more. A longer text ends in `…`.
   *
   * @default Infinity
   */
  readonly maxLength?: number | undefined;
}

/** Maximum number of UTF-16 code units that are looked at; what follows is cut off. */
const maxTextLength = 1_048_576;

const authorization =
  /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)(?:(bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,3})?([^\s"'\\,;]+)/gi;
const element = new RegExp(`(<[\\w:.-]{0,40}?(?:${secretWords})[\\w:.-]{0,40}>)[^<]+`, "gi");
const scheme = /\b(bearer|basic)(\s{1,3})([\w.~+/=-]{8,})/gi;
/**
 * `--db-password x`. The dashes are looked for once a word is found: almost no text has one. A name such as
 * `external-secrets-5d9` has its dashes within.
 */
const flag = new RegExp(
  `(?:${secretWords})(?<=(?<![\\w.-])--?[\\w-]{0,80})[\\w-]{0,40}\\s{1,3}(?=[^\\s-])`,
  "gi",
);
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
const sentence =
  /^(?:secrets?|configmaps?|not|missing|invalid|expired|failed|required|error|unknown|cannot|could|must|no|none|nil|null|yes|true|false|is|was|are|the|a|an|forbidden|unauthorized|authentication|denied|empty|unable|failure|does|has|for|from|expected|unexpected|couldn't|can't|serviceaccounts?|pods?|context|timeout|timed|connection|rpc|lookup|exit|permission|[45]\d\d (?:unauthorized|forbidden|not found|bad request|too many requests|internal server error|bad gateway|service unavailable))(?=[\s:,.;)\]]|$)/i;
/** An authorization header whose credentials are hidden already. */
const headerDone = /^[\w-]{1,20} \[REDACTED\]/;
const long = /(?<![\w+/=-])[A-Za-z0-9+/_-]{40,}={0,2}/g;

/**
 * Hides secrets in text that others wrote, in time proportional to its length.
 *
 * Tokens, passwords, keys, connection strings, JWTs, PEM blocks, cookies, user information in URLs and
 * passwords named in a sentence become `[REDACTED]`; names, quotes and punctuation around them stay, so
 * that JSON stays JSON. The text is cleaned as `sanitizeText` does it first, since an invisible character
 * would part a name from its value. Redacting twice changes nothing more. The result is still
 * untrusted text. Only the first 1,048,576 code units are returned.
 */
export function redactSecrets(text: string, options: RedactOptions = {}): string {
  const { maxLength = Number.POSITIVE_INFINITY } = options;
  const isCut = text.length > maxTextLength;
  const clean = redactValues(sanitizeText(isCut ? text.slice(0, maxTextLength) : text));
  const limit = isCut ? Math.min(maxLength, clean.length - 1) : maxLength;
  return truncateText(clean, Math.max(1, limit));
}

function redactValues(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of secretForms) clean = clean.replace(pattern, replacement);
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
    if (!isSecretName(name) || sentence.test(rest) || headerDone.test(rest)) return false;
    // `volume "secret" : secret "x"` is how the kubelet writes; JSON would quote the value.
    const isQuoted = /["'`]/.test(match[0]);
    return gap === "" || !isQuoted || match[0].includes("=") || /^[\\"'\d]/.test(rest);
  });
  clean = redactProse(clean);
  return clean.replace(long, withoutKeys);
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

/** A key in base64 may hold slashes: what has words between them is a path, whose parts are looked at one by one. */
function withoutKeys(value: string): string {
  const parts = value.split("/");
  const isPath = parts.filter((part) => /^[a-z][a-z-]{3,}$/.test(part)).length >= 2;
  if (!isPath) return looksRandom(value) ? redacted : value;
  const shown = parts.map((part) => (part.length >= 20 && looksRandom(part) ? redacted : part));
  return shown.join("/");
}

/** Long text of mixed case with digits is a key; names, digests and ids are not. */
function looksRandom(value: string): boolean {
  const upper = value.match(/[A-Z]/g)?.length ?? 0;
  const lower = value.match(/[a-z]/g)?.length ?? 0;
  const digits = value.match(/\d/g)?.length ?? 0;
  return upper >= 6 && lower >= 6 && digits >= 1;
}
