import { isKeyName, isSecretName, redacted, secretWords } from "./secret-names.js";
import { keyQuote, valueFrom } from "./secret-value.js";
import {
  isExpression,
  isPlaceholder,
  looksChosen,
  looksLikeKey,
  looksMade,
} from "./value-shape.js";

/** A name and the separator before its value. The whole name is checked again. */
const assignment = new RegExp(
  `((?:${secretWords}|(?<![a-z0-9])(?:auth|pass))[\\w.-]{0,64})(\\\\{0,3}["'\`]?([^\\S\\n]{0,3})(?:=>|:=|[:=])[^\\S\\n]{0,3})`,
  "gi",
);
/**
 * `--db-password x`. The dashes are looked for once a word is found: almost no text has one. A name such as
 * `external-secrets-5d9` has its dashes within.
 */
const flag = new RegExp(
  `(?:${secretWords}|(?<=-)pass(?=["',\\s]))(?<=(?<![\\w.-])--?[\\w-]{0,80})[\\w-]{0,40}["',]{0,3}\\s{1,3}(?=[^\\s-])`,
  "gi",
);
/** `name: DB_PASSWORD, value: x`, as variables of containers are written. */
const variable = new RegExp(
  `(name\\\\{0,3}["']?\\s{0,3}[:=]\\s{0,3}\\\\{0,3}["']?[\\w.-]{0,64}?(?:${secretWords})[\\w.-]{0,64}\\\\{0,3}["']?\\s{0,3},?\\s{0,40}\\\\{0,3}["']?value\\\\{0,3}["']?\\s{0,3}[:=]\\s{0,3})`,
  "gi",
);
/** As {@link variable}, of a name such as `X-Monitor-Key`: what the value looks like decides. */
const keyVariable =
  /name\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?([\w.-]{1,64}?(?:[-_.]key|Key))\\{0,3}["']?\s{0,3},?\s{0,40}\\{0,3}["']?value\\{0,3}["']?\s{0,3}[:=]\s{0,3}/gi;
/** `MQTT_LOGIN=user:password`, also as a variable of a container is written. */
const login =
  /((?:login|logon|creds|credentials|userpass|userpwd|user[-_]?pass|basic[-_]?auth)\\{0,3}["']?(?:\s{0,3},?\s{0,40}\\{0,3}["']?value\\{0,3}["']?)?\s{0,3}[:=]\s{0,3}\\{0,3}["']?[\w.@-]{1,64}:)([^\s"'\\,;/:]{4,128})(?![^\s"'\\,;])/gi;
/** `Fastly-Key: x`, `stripeKey: "x"`. */
const keyed =
  /(?:(?<=[a-z0-9])[-_.]key|(?<=[a-z0-9])Key)(\\{0,3}["'`]?[^\S\n]{0,3}(?:=>|:=|[:=])[^\S\n]{0,3})/gi;
/** `pass`, `sftp-pass`: no word for a secret, except at the end of a name. */
const endsInPass = /(?:^|[-_.])pass$/i;
const element = new RegExp(
  `(<[\\w:.-]{0,40}?(?:${secretWords})[\\w:.-]{0,40}(?:\\s[^<>]{0,200})?>)[^<]+`,
  "gi",
);
const words = new RegExp(secretWords, "gi");
/** `|`, `>-` and what else begins a block of lines in YAML. */
const blockMark = /[|>][-+\d]{0,2}[ \t]{0,9}(?:#[^\n]{0,200})?\n/y;
/** An authorization header whose credentials are hidden already. */
const headerDone = /^[\w-]{1,20} \[REDACTED\]/;

/** Hides values that a name declares secret: `password=x`, `"token": "x"`, `--api-key x`, blocks of YAML, elements of XML. */
export function redactAssignments(text: string): string {
  let clean = text
    .replace(element, `$1${redacted}`)
    .replace(login, (all, before: string, password: string) =>
      looksChosen(password) ? `${before}${redacted}` : all,
    );
  clean = redactAfter(clean, flag, ([name = ""], rest) =>
    isSecretFlag(name.trim().replace(/["',]{1,3}$/, ""), rest),
  );
  clean = redactAfter(clean, variable, () => true);
  clean = redactAfter(clean, keyVariable, ([, name = ""], rest) => {
    const [value = ""] = /^[^\s"'`,;]{0,256}/.exec(rest.replace(/^\\{0,3}["'`]/, "")) ?? [];
    return isKeyName(name) && looksMade(value, 8);
  });
  clean = redactAfter(clean, keyed, isKeyAssignment);
  return redactAfter(clean, assignment, isSecretAssignment);
}

function isKeyAssignment(match: RegExpExecArray, rest: string): boolean {
  const [value = ""] = /^[^\s"'`,;&)\]}>]{0,256}/.exec(rest.replace(/^\\{0,3}["'`]/, "")) ?? [];
  return (
    isKeyName(nameBefore(match) + match[0].slice(0, -(match[1] ?? "").length)) &&
    looksLikeKey(value)
  );
}

function isSecretFlag(name: string, rest: string): boolean {
  if (!isSecretName(name)) return false;
  const [value = ""] = /^[^\s"']{0,256}/.exec(rest) ?? [];
  if (isPlaceholder(value)) return false;
  return isHead(name) || looksMade(value, 8);
}

function isSecretAssignment(match: RegExpExecArray, rest: string): boolean {
  const [all, name = "", separator = "", gap = ""] = match;
  if (!isSecretName(name) || headerDone.test(rest)) return false;
  const isQuotedName = /["'`]/.test(separator);
  const isEquals = separator.includes("=");
  const isQuotedValue = /^\\{0,3}["'`]/.test(rest);
  // `volume "secret" : secret "x"` is how the kubelet writes; JSON would quote the value.
  if (gap !== "" && isQuotedName && !isEquals && !isQuotedValue && !/^\d/.test(rest)) return false;
  if (isQuotedValue && isClosingQuote(match, rest)) return false;
  const [line = ""] = /^[^\n]{0,256}/.exec(rest) ?? [];
  // `[{`, `[[`, `{ name:`: the names in it say what is secret.
  if (!isQuotedValue && /^(?:\[\s{0,3}[[{]|\{\s{0,3}["']?[\w.-]{1,64}["']?\s{0,3}:)/.test(line))
    return false;
  const [value = ""] = isQuotedValue
    ? (/^[^"'`]{0,256}/.exec(line.replace(/^\\{0,3}["'`]/, "")) ?? [])
    : (/^[^\s"'`,;&]{0,256}/.exec(line) ?? []);
  const bare = value.replace(/[)\]}>]{1,9}$/, "");
  if (value === "" || isPlaceholder(value) || isPlaceholder(bare)) return false;
  if (isPlaceholder(line.trimEnd())) return false;
  // `pass=12 fail=0` counts.
  if (endsInPass.test(name) && /^\d*$/.test(bare)) return false;
  if (!isHead(name))
    return looksMade(bare, 8) || (isQuotedValue && /\d/.test(bare) && bare.length >= 8);
  if (isQuotedValue || isQuotedName) return true;
  const isSpaced = /\s/.test(separator);
  if (isEquals && isSpaced && isExpression(line)) return false;
  if (!isSpaced) return isEquals || !/^\d{1,5}(?::\d{1,5})?\)?$/.test(value);
  const isAlone = /^[^\s]+?(?:\s{0,9}$|\s{0,3}[,;)\]}#]|\s[\w.-]{1,64}[:=])/.test(line);
  const isWord = /^[a-z']+\.?$/i.test(bare);
  // `DB_PASSWORD: x y` is an assignment unless it continues in words; `password: x y` is a sentence unless x looks made.
  if (!isAlone)
    return isIdentifier(match) ? !isWord : isStrong(all) ? looksChosen(bare) : looksMade(bare);
  if (!isWord || isIdentifier(match)) return true;
  return isStrong(all) && !/(?:ed|ing|id)$/.test(bare);
}

/**
 * True where the name ends with a word for a secret, apart from plural and digits: `db_password2`, not
 * `password_policy`.
 */
function isHead(name: string): boolean {
  if (endsInPass.test(name)) return true;
  let end = 0;
  for (const match of name.matchAll(words)) end = match.index + match[0].length;
  return /^(?:s|es|ies)?[-_.]?(?:\d{0,3}|[A-Z0-9_]{1,64}|(?:value|key|hash|data|id|base64|text|plain|old|new)\w{0,8})$/.test(
    name.slice(end).replace(/^[-_.](?=[a-z])/, ""),
  );
}

/** True for a name of parts, as only programs write it: `DB_PASSWORD`, `apiToken`, `db.password`. */
function isIdentifier(match: RegExpExecArray): boolean {
  const whole = nameBefore(match) + (match[1] ?? "");
  return /[_.-]|[a-z][A-Z]/.test(whole) || /^[A-Z]{3,}$/.test(whole);
}

/** The part of a name that stands before the match. */
function nameBefore({ input, index }: RegExpExecArray): string {
  return /[\w.-]{0,64}$/.exec(input.slice(Math.max(0, index - 64), index))?.[0] ?? "";
}

/** True for the quote that ends a text with a name at its end: `prompt("Password: ")`. */
function isClosingQuote({ input, index, 0: all }: RegExpExecArray, rest: string): boolean {
  if (!/^"(?:[)\],;+\s]|$)/.test(rest)) return false;
  const before = input.slice(Math.max(0, index - 256), index + all.length);
  return (before.slice(before.lastIndexOf("\n") + 1).match(/"/g)?.length ?? 0) % 2 === 1;
}

/** Words that always mean a secret, unlike token, cookie and credential, which also occur in prose. */
function isStrong(name: string): boolean {
  return /pass(?:word|wd|phrase|code)|passwd|pwd|key/i.test(name);
}

type Judge = (match: RegExpExecArray, rest: string) => boolean;

/** Redacts the value that follows each match that is judged to name a secret. */
function redactAfter(text: string, pattern: RegExp, isSecret: Judge): string {
  let clean = "";
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index + match[0].length;
    const value =
      valueBelow(text, match, start) ??
      (isSecret(match, text.slice(start, start + 300))
        ? valueFrom(text, start, keyQuote.exec(match[0])?.[1] ?? "")
        : undefined);
    if (value === undefined) continue;
    clean += text.slice(done, value.start) + (value.end > value.start ? value.shown : "");
    done = value.end;
    pattern.lastIndex = Math.max(value.end, pattern.lastIndex);
  }
  return clean + text.slice(done);
}

interface Below {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/** The value of a name that stands below it: a block of lines in YAML, a string on the next line. */
function valueBelow(text: string, match: RegExpExecArray, start: number): Below | undefined {
  const name = match[1] ?? "";
  if (!/[:=]\s*$/.test(match[0]) || !isSecretName(name) || !isHead(name)) return undefined;
  blockMark.lastIndex = start;
  const mark = blockMark.exec(text)?.[0];
  const lineStart = text.lastIndexOf("\n", match.index) + 1;
  if (match.index - lineStart > 200) return undefined;
  const indent = indentAt(text, lineStart);
  if (mark !== undefined) return block(text, start + mark.length, indent);
  if (text[start] !== "\n") return undefined;
  const first = start + 1 + indentAt(text, start + 1);
  const quote = /^\\{0,3}["']/.exec(text.slice(first, first + 4))?.[0];
  const [line = ""] = /^[^\n]{0,300}/.exec(text.slice(first, first + 300)) ?? [];
  if (quote !== undefined) {
    if (/^\\{0,3}["'][\w.-]{1,128}\\{0,3}["']\s{0,3}:/.test(line)) return undefined; // another name
    const value = valueFrom(text, first, "");
    return value;
  }
  if (first - start - 1 <= indent || line === "" || line.startsWith(redacted)) return undefined;
  if (/^(?:- |[{[#])|^[\w.-]{1,128}:(?:\s|$)/.test(line)) return undefined; // a list, an object, names
  const end = text.indexOf("\n", first);
  return { start: first, end: end < 0 ? text.length : end, shown: redacted };
}

/** The lines from `start` that are indented deeper than `indent`, or blank. */
function block(text: string, start: number, indent: number): Below {
  let at = start;
  let end = start;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const lineEnd = newline < 0 ? text.length : newline;
    const deep = indentAt(text, at);
    const isBlank = at + deep >= lineEnd;
    if (!isBlank && deep <= indent) break;
    if (!isBlank) end = lineEnd;
    at = lineEnd + 1;
  }
  const first = start + indentAt(text, start);
  return { start: Math.min(first, end), end, shown: redacted };
}

function indentAt(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at++;
  return at - start;
}
