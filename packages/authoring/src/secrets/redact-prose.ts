import { redacted } from "./secret-names.js";
import { isPlaceholder, looksChosen, looksMade } from "./value-shape.js";

/** Words for a password, and for a key or a code that opens something. */
const password = "(?:pass(?:word|phrase|code)|passwd|pwd|pw)";
const key =
  "(?:(?:api|access|account|admin|client|deploy|encryption|hmac|host|licen[cs]e|master|private|recovery|root|service|session|shared|signing|storage|unseal|webhook)[ _-]key|(?:client|app|application|shared|webhook|signing)[ _-]secret|psk|pre-?shared key|(?:one[- ]time|verification|security|recovery|backup|login|access|auth) (?:code(?! path)|password|pin))";
/** Separators between a word and its value. */
const link = "(?:is|was|of|set to|changed to|rotated to|reset to|now)";
/** Up to six words between: "password for user jo changed to x", "unseal key 1: x", "PIN block for card **** 4411: x". */
const between = "(?:\\s{1,3}[\\w*.@[\\]-]{1,40}){0,6}?";
/** The quote before a value, and the value. */
const value = `(?:(["'\`])([^"'\`\\n]{3,256})(?=\\1)|()(?!\\[REDACTED)([^\\s"'\`]{3,256}))`;

const forms: readonly {
  readonly form: RegExp;
  readonly isSecret: (value: string, isQuoted: boolean) => boolean;
}[] = [
  // "Password hunter2 rejected", `the password "swordfish"`. A plain word without quotes stays: "password rejected".
  {
    form: new RegExp(`(?<![\\w.-])${password}\\s{1,3}(?:${link}\\s{1,3}){0,2}${value}`, "gi"),
    isSecret: (text, isQuoted) => isQuoted || looksChosen(text),
  },
  {
    form: new RegExp(
      `(?<![\\w.-])${password}${between}\\s{1,3}(?:set to|changed to|rotated to|reset to|from|to|is|was)\\s{1,3}${value}`,
      "gi",
    ),
    isSecret: (text) => looksChosen(text),
  },
  // A key or a code needs a word or a sign that links it, or quotes, or the look of a key.
  {
    form: new RegExp(
      `(?<![\\w.-])${key}${between}(?:\\s{0,3}[:=]\\s{1,3}|(?:\\s{1,3}${link}){1,2}\\s{1,3})${value}`,
      "gi",
    ),
    isSecret: (text, isQuoted) => isQuoted || looksChosen(text),
  },
  {
    form: new RegExp(`(?<![\\w.-])${key}\\s{1,3}${value}`, "gi"),
    isSecret: (text, isQuoted) => (isQuoted ? looksChosen(text) : looksMade(text, 8)),
  },
  // A PIN and a password for one time begin with digits; other pins and OTP are something else.
  {
    form: new RegExp(
      `(?<![\\w.-])(?:otp|pin)${between}(?:\\s{0,3}[:=]\\s{1,3}|\\s{1,3}${link}\\s{1,3})${value}`,
      "gi",
    ),
    isSecret: (text) => /^\d{4}/.test(text) && text.length >= 6,
  },
  // "Secret" and "token" have other meanings: a sentence must say "is".
  {
    form: new RegExp(
      `(?<![\\w.-])(?:secret|token|credential)\\s{1,3}(?:is|was|set to)\\s{1,3}${value}`,
      "gi",
    ),
    isSecret: (text) => text.length >= 6 && !text.includes("/") && looksMade(text),
  },
];

/** "passphrase: take two rolling": it is made of words, up to the end of its clause. */
const phrase = /(\bpass-?phrase[:=] )([a-z][\w' -]{5,200})/gi;
/** "recovery codes: 7KQF-22ND, X8TL-93VC", several in one list. */
const list =
  /((?:one[- ]time|verification|security|recovery|backup|scratch|login|access|unseal) (?:codes|passwords|keys|tokens)\s{0,3}[:=]\s{0,3})([^\n"'`]{4,600})/gi;
/** A user and the password beside it: "login with svc-mail / Tern.9 accepted", "tried default/Room6". */
const pair =
  /(\b(?:(?:log(?:in|on|ged in) (?:with|as|using|is)|tried|trying|credentials?:?)\s{1,3}\(?[\w.@-]{1,64}\s?\/\s?|(?:for|user|as)\s{1,3}[\w.@-]{1,64}%(?!2[\da-f]|3[a-f]|40|5[b-d])))([^\s"'`/(),;]{5,128})(?![^\s"'`(),;])/gi;

/** What is said of a passphrase. */
const startsSentence =
  /^(?:is|was|not|no|must|may|can|could|cannot|will|too|has|had|wrong|invalid|incorrect|missing|required|expected|failed|unable|for|from|of|the)\b/i;
/** How a path, a place for a value, a sign or a digest, which is public, begins. */
const notValue = /^(?:[./~$<{([=:|&-]|(?:sha\d{1,3}|md5)[:-])/i;

/** Hides secrets that a sentence names; the shape of the value decides, and quotes around it. */
export function redactProse(text: string): string {
  const listless = text
    .replace(phrase, (all, before: string, words: string) =>
      /^\S{1,40} \S/.test(words) && !startsSentence.test(words) ? `${before}${redacted}` : all,
    )
    .replace(list, (_, before: string, items: string) => `${before}${redactItems(items)}`)
    .replace(pair, (all, before: string, password: string) =>
      /[A-Z]/.test(password) && looksChosen(trimmed(password)) ? `${before}${redacted}` : all,
    );
  return forms.reduce(
    (clean, { form, isSecret }) =>
      clean.replace(
        form,
        (all: string, quote = "", quoted = "", _none: string | undefined = "", bare = "") => {
          const found = quote === "" ? bare : quoted;
          const shown = quote === "" ? trimmed(found) : found;
          if (shown.length < 3 || isPlaceholder(shown) || !isSecret(shown, quote !== ""))
            return all;
          if (shown.includes(redacted.slice(0, -1)) || notValue.test(shown)) return all;
          return all.slice(0, all.length - found.length) + redacted + found.slice(shown.length);
        },
      ),
    listless,
  );
}

/** Items of a list that look generated. */
function redactItems(items: string): string {
  return items.replace(/[^\s,;]+/g, (item) =>
    item !== redacted && looksMade(item.replace(/[^\w]/g, ""), 6) ? redacted : item,
  );
}

/** Removes punctuation at the end of a sentence or a bracket. */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && ").,;:!?]}>".includes(value[end - 1] ?? "")) end--;
  return value.slice(0, end);
}
