const hidden = "[REDACTED]";

/** Secrets that show themselves by their form or by the name before them. Each takes linear time. */
const secrets: readonly (readonly [form: RegExp, by: string])[] = [
  [/-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$(?![\s\S]))/g, hidden],
  [/\beyJ[\w+/-]{8,}={0,2}(?:\.[\w-]+){0,4}/g, hidden],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, hidden],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hvs\.|xox[abeoprs]-|[sr]k[-_])[\w-]{10,}/g, hidden],
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>]{1,256}@/gi, `$1${hidden}@`],
  [/\b(bearer|basic)(\s{1,3})[\w.~+/=-]{8,}/gi, `$1$2${hidden}`],
  [
    /((?:passw(?:or)?d|passphrase|token|secret|api[_-]?key|private[_-]?key|credential)[\w-]{0,40}\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)[^\s"'\\,;}]+/gi,
    `$1${hidden}`,
  ],
];

/** A text without the secrets that can be recognised in it, and not longer than `most` characters. */
export function redact(text: string, most: number): string {
  let shown = text.slice(0, most * 2);
  for (const [form, by] of secrets) shown = shown.replace(form, by);
  return shown.length <= most && text.length <= most * 2 ? shown : `${shown.slice(0, most - 1)}…`;
}
