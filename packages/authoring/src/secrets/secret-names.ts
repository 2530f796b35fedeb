/** Replacement of a secret value. */
export const redacted = "[REDACTED]";

/** Words that make a name one of a secret value. Source text of a regular expression, for any case. */
export const secretWords =
  "pass(?:word|wd|phrase|code)|passwd|pwd|secret|token|api[-_.]?key|access[-_.]?key|private[-_.]?key|account[-_.]?key|shared[-_.]?key|signing[-_.]?key|encryption[-_.]?key|master[-_.]?key|license[-_.]?key|credential|authorization|connection[-_.]?string|bearer|session[-_.]?(?:id|token|key)|cookie|dsn|psk";

/** Endings that make it the name of something else: where a secret is, what it is called, how many. */
const harmless =
  /(?:name|names|ref|refs|count|type|path|file|files|dir|expiration|expiry|expires|expirationseconds|ttl|namespace|policy|class|provider|url|uri|endpoint|limit|length|enabled|required|tokens|hint|seconds|minutes|hours|days|interval|timeout|lifetime|rotation|date|budget|size|max|min|quota|window|retries|attempts|mode|level)$/i;

/** `Fastly-Key`, `STRIPE_KEY`: a word before "key" that may be any; what the value looks like decides then. */
const someKey = /[a-z0-9][-_.]key$|[a-z0-9]Key$/i;
/** Keys that identify or verify something, and are not secret. */
const openKey =
  /(?:public|cache|primary|foreign|unique|sort|partition|routing|shard|row|object|group|host|idempotency|dedup(?:lication)?|lookup)[-_.]?key$/i;

const secret = new RegExp(`${secretWords}|(?:^|[-_.])(?:auth|pass)$`, "i");

/** True for a name whose value is probably secret: `DB_PASSWORD`, `apiKey`; false for `secretName`. */
export function isSecretName(name: string): boolean {
  return secret.test(name) && !harmless.test(name);
}

/** True for a name such as `STRIPE_KEY`, whose value is secret if it looks made. */
export function isKeyName(name: string): boolean {
  return someKey.test(name) && !openKey.test(name);
}
