import { redacted } from "./secret-names.js";
import { looksChosen, looksMade } from "./value-shape.js";

/** Schemes of URIs whose address has no user information: `mailto:oncall@shop`. */
const addressScheme = /^(?:mailto|sips?|xmpp|acct|im|pres|mid|cid)$/i;

type Replacement = string | ((match: string, ...groups: string[]) => string);

/**
 * Values that are secret by their form, wherever they are, and what replaces them. Each takes linear time, and is looked
 * for only where the text, in lower case, holds its keyword.
 */
const secretForms: readonly (readonly [string, RegExp, Replacement])[] = [
  // A block that was cut off hides everything after its first line. What is public stays.
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
  ["=", /([?&](?:sig|signature|x-amz-signature)=)[\w%+/=-]+/gi, `$1${redacted}`],
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
