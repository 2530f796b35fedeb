import { redacted } from "./secret-names.js";
import { looksChosen, looksMade } from "./value-shape.js";

/** Schemes of URIs whose address has no user information: `mailto:oncall@shop`. */
const addressScheme = /^(?:mailto|sips?|xmpp|acct|im|pres|mid|cid)$/i;

/** What a long number is the name of, and opens nothing. */
const publicId =
  /^(?:cache|primary|foreign|unique|sort|partition|routing|shard|row|object|group|idempotency|dedup|lookup|public|etag|blobs?|commits?|trees?|traces?|spans?|sha\d{0,3}|md5|digests?|images?|layers?|objects?|runs?|jobs?|builds?|requests?|orders?|users?|files?|sessions?)$/i;

type Replacement = string | ((match: string, ...groups: string[]) => string);

/**
 * Values that are secret by their form, wherever they are, and what replaces them. Each takes linear time, and is looked
 * for only where the text, in lower case, holds its keyword.
 */
const secretForms: readonly (readonly [string, RegExp, Replacement])[] = [
  // A truncated block hides everything after its first line. Public keys stay.
  [
    "-----begin ",
    /(-----BEGIN (?![A-Z0-9 ]{0,40}(?:PUBLIC|CERTIFICATE|SIGNATURE|PARAMETERS))[A-Z0-9 ]{1,40}-----)[\s\S]*?(-{5,6}END [A-Z0-9 ]{1,40}-{5,6}|(?![\s\S]))/g,
    `$1${redacted}$2`,
  ],
  ["private-lines", /^(Private-Lines: \d{1,4}\n)(?:[A-Za-z0-9+/=]{1,80}\n?)+/gm, `$1${redacted}\n`],
  // A JWT, or JSON in base64 as in the credentials of an image registry.
  ["eyj", /\beyJ[\w+/-]{8}[\w+/-]*={0,2}(?:\.[\w-]+){0,4}/g, redacted],
  // Hashes of passwords: `$scheme$salt$hash`, as crypt, bcrypt and the PHC string format write them.
  ["$", /\$[a-z0-9-]{1,24}\$[\w./+=,$-]{20,}/gi, redacted],
  ["$", /\b[a-z][a-z0-9_]{2,30}\$\d{1,9}\$[\w./+=]{1,64}\$[\w./+=]{20,}/gi, redacted],
  ["scram-sha-", /\bSCRAM-SHA-\d{1,3}\$\d{1,9}:[\w+/=]{8,100}\$[\w+/=:]{20,}/g, redacted],
  ["}", /(\{[A-Z0-9-]{3,20}\})[\w./+=$,-]{20,}/g, `$1${redacted}`],
  ["*", /\*[0-9A-F]{40}\b/g, redacted],
  ["md5", /\bmd5[0-9a-f]{32}\b/g, redacted],
  // Addresses that are secrets, and signatures in them.
  [
    "hooks.slack.com",
    /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]+/g,
    `$1${redacted}`,
  ],
  // Such an address behind a proxy of its own.
  [
    "/services/t",
    /(\/services\/T[A-Z0-9]{2,16}\/B[A-Z0-9]{1,16}\/)([\w-]{8,64})/g,
    (all, before, hook) => (looksChosen(hook) ? `${before}${redacted}` : all),
  ],
  ["/webhooks/", /(discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g, `$1${redacted}`],
  ["/webhookb2/", /(\.webhook\.office\.com\/webhookb2\/)[\w/@-]+/g, `$1${redacted}`],
  ["=", /([?&](?:sig|signature|x-amz-signature)=)[\w%+/=~-]+/gi, `$1${redacted}`],
  ["://", /:\/\/[^\s"'<>]{8,2000}/g, redactUrl],
  // A key of 16 or 32 bytes in hexadecimal, where the text says that it is one.
  [
    "key",
    /((?:^|[\s"'({,;])(?:([\w-]{1,40})\s)?key\s{0,2}[=:]\s{0,2}["']?)((?:[\da-f]{32}){1,2})(?![\w-])/gim,
    (all, before, what) => (publicId.test(what ?? "") ? all : `${before}${redacted}`),
  ],
  [
    "identified",
    /(\bidentified\s{1,3}(?:with\s{1,3}[\w-]{1,64}\s{1,3})?(?:by|as)\s{1,3}["'])[^"'\n]+/gi,
    `$1${redacted}`,
  ],
  ["cookie:", /(\b(?:set-)?cookie:\s{0,3})(?=[^\s=;"']{1,128}=)[^\r\n"']+/gi, `$1${redacted}`],
  // Mail: user and password in base64. FIX: field 554 of a message is the password.
  [
    "auth ",
    /(\bAUTH\s(?:PLAIN|LOGIN|CRAM-MD5|XOAUTH2)\s)([A-Za-z0-9+/]{6,}={0,2}(?:\s[A-Za-z0-9+/]{6,}={0,2})?)(?![\w=])/g,
    (all, before, code) => (/[=\d]|[a-z][A-Z]/.test(code) ? `${before}${redacted}` : all),
  ],
  ["554=", /((?<![\w.-])554=)[^|\s]+/g, `$1${redacted}`],
  // Constants of PHP: `define('AUTH_KEY', '...')`.
  [
    "define",
    /(\bdefine\(\s{0,3}["'][A-Z_]{0,40}(?:KEY|SALT|PASSWORD|SECRET|TOKEN)["'],\s{0,3}["'])[^"'\n]{4,}/g,
    `$1${redacted}`,
  ],
  ["client-key-data", /(client-key-data["']?:\s{0,3}["']?)[A-Za-z0-9+/=]{8,}/g, `$1${redacted}`],
  ["cookie ", /(\bcookie\s[\w.-]{1,40}=)[^\s;,"']{8,}/gi, `$1${redacted}`],
  // User information of a URL: with a password, or a token alone.
  [
    "://",
    /([a-z0-9+.-]:\/\/)([^\s/@"'<>[]+(?:@[^\s/@"'<>]*)*)@(?=[\w[(])/gi,
    (all, scheme, user) =>
      user.includes(":") || looksMade(user, 12) ? `${scheme}${redacted}@` : all,
  ],
  // The same without a scheme: `app:secret@tcp(db:3306)`, `app:secret@db`.
  [
    "@",
    /(^|[\s"'=,(])([\w.-]{1,64}):([^\s@/"'[\]]{1,128})@(?=([\w-]{1,64}))/gm,
    (all, before, user, password, host) =>
      /^\d+$/.test(user) ||
      addressScheme.test(user) ||
      /^sha\d{3}$/.test(host) ||
      !/[a-z]/i.test(password)
        ? all
        : `${before}${redacted}@`,
  ],
  // A line of `.pgpass`, and of `.netrc`.
  [
    ":",
    /(?<=[\w*])(:(?:\d{2,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:)([^\s:"'\\]{4,256})(?![^\s"'\\])/g,
    (all, before, password) => (looksChosen(password) ? `${before}${redacted}` : all),
  ],
  [
    "login",
    /(\b(?:machine\s{1,3}\S{1,253}|default)\s{1,9}login\s{1,9}\S{1,128}\s{1,9}password\s{1,9})[^\s"'\\]{1,256}/g,
    `$1${redacted}`,
  ],
];

/** Parameters whose random values are names. */
const idParameter = /(?:id|cursor|version|etag|time|date|since|until)$/i;

/**
 * Hides what opens something in a URL, whatever it is called: random values in its query (`?code=9fKq2-ZtB71-wLm`), and keys
 * in hexadecimal in its path, unless the part before says what they name: `/commit/4f1c...`.
 */
function redactUrl(url: string): string {
  const [path = "", query] = url.split(/\?(.*)/s);
  const parts = path.split("/");
  const shownPath = parts.map((part, at) =>
    /^[\da-f]{32}$/.test(part) && !publicId.test(parts[at - 1] ?? "") ? redacted : part,
  );
  if (query === undefined) return shownPath.join("/");
  const shownQuery = query.split(/([&;])/).map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return isRandom(value) && !idParameter.test(name) ? `${name}=${redacted}` : pair;
  });
  return `${shownPath.join("/")}?${shownQuery.join("")}`;
}

/** Upper case, lower case and digits in a text that is no name, number, date or text that was escaped. */
function isRandom(text: string): boolean {
  return (
    /^[\w.~%+-]{10,500}$/.test(text) &&
    [/\d/, /[a-z]/, /[A-Z]/].every((part) => part.test(text)) &&
    (text.match(/\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/g)?.length ?? 0) >= 4 &&
    !/^\d{4}-\d\d-\d\d|%(?:20|2F|3A|2C)/i.test(text)
  );
}

/** Hides values that are secret by their form. */
export function redactForms(text: string): string {
  let clean = text;
  const lowerCase = text.toLowerCase();
  for (const [keyword, pattern, replacement] of secretForms) {
    if (!lowerCase.includes(keyword)) continue;
    clean =
      typeof replacement === "string"
        ? clean.replace(pattern, replacement)
        : clean.replace(pattern, replacement);
  }
  return clean;
}
