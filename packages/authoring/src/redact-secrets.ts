import { sanitizeText, truncateText } from "./sanitize-text.js";
import { redactAssignments } from "./secrets/redact-assignments.js";
import { redactCommands } from "./secrets/redact-commands.js";
import { redactKubernetesSecrets } from "./secrets/redact-kubernetes.js";
import { redactProse } from "./secrets/redact-prose.js";
import { redactQuoted } from "./secrets/redact-quoted.js";
import { redactRandom } from "./secrets/redact-random.js";
import { redactTokens } from "./secrets/redact-tokens.js";
import { redactForms } from "./secrets/secret-forms.js";
import { redacted } from "./secrets/secret-names.js";
import { isPlaceholder } from "./secrets/value-shape.js";

/** How much of a text {@link redactSecrets} returns. */
export interface RedactOptions {
  /**
   * Maximum length of the result, in UTF-16 code units, integer, 1 or more. A longer text ends in `…`.
   *
   * @default Infinity
   */
  readonly maxLength?: number | undefined;
}

/** Maximum number of UTF-16 code units that are read; the rest is cut off. */
const maxTextLength = 1_048_576;

/** Maximum number of passes over a text; two suffice for almost all. */
const maxRounds = 6;

const authorization =
  /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)(?:(bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,3})?([^\s"'\\,;]+)/gi;
const scheme = /\b(bearer|basic)(\s{1,3})([\w.~+/-]{8,}={0,2})(?![\w=])/gi;

/**
 * Hides secrets in text that others wrote, in linear time.
 *
 * Tokens, passwords and their hashes, keys, connection strings, JWTs, PEM blocks, cookies, user information in URLs, values
 * of Kubernetes Secrets, passwords given to commands and those named in a sentence become `[REDACTED]`; names, quotes and
 * punctuation around them stay, so that JSON stays JSON. A plain word in a sentence counts as a password only in
 * quotes. The text is cleaned as `sanitizeText` does it first, since an invisible character would part a name from
 * its value. Redacting twice changes nothing more. The result is still untrusted text. Only the first 1,048,576 code
 * units are returned.
 */
export function redactSecrets(text: string, options: RedactOptions = {}): string {
  const { maxLength = Number.POSITIVE_INFINITY } = options;
  const isCut = text.length > maxTextLength;
  const clean = redactAll(sanitizeText(isCut ? text.slice(0, maxTextLength) : text));
  const limit = isCut ? Math.min(maxLength, clean.length - 1) : maxLength;
  return truncateText(clean, Math.max(1, limit));
}

/**
 * Repeats until nothing changes, because the text beside a hidden value may look like a secret then. A text without
 * secrets, the usual case, needs one pass.
 */
function redactAll(text: string): string {
  let clean = text;
  for (let round = 0; round < maxRounds; round++) {
    const next = redactValues(clean);
    if (next === clean) break;
    clean = next;
  }
  return clean;
}

function redactValues(text: string, depth = 0): string {
  const quoteless = redactQuoted(redactKubernetesSecrets(text), depth, redactValues);
  const formless = redactCommands(redactForms(redactTokens(quoteless)));
  const headerless = formless
    .replace(authorization, (all, before: string, kind: string | undefined, value: string) => {
      if (isPlaceholder(value)) return all;
      if (kind === undefined) return isCredential(value) ? `${before}${redacted}` : all;
      return `${before}${kind} ${redacted}`;
    })
    .replace(scheme, (all, kind: string, gap: string, value: string) =>
      /\d|[=.]|[a-z][A-Z]/.test(value) ? `${kind}${gap}${redacted}` : all,
    );
  return redactRandom(redactProse(redactAssignments(headerless)));
}

/** A plain word is a state of authorization, not a credential: `enabled`. */
function isCredential(value: string): boolean {
  return !/^[a-z]{1,16}$/.test(value);
}
