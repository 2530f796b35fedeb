import { redactSecrets, sanitizeText } from "@constellation/authoring";

/** Longest piece of text from labels and annotations. */
const maxLength = 300;

/** Text from labels, annotations and errors on one line, without the secrets in it. */
function line(text: string): string {
  return sanitizeText(redactSecrets(text), { singleLine: true, maxLength });
}

/** A {@link line} as plain text in Markdown, which marks nothing up. */
export function escapeMarkdown(text: string): string {
  return line(text).replace(/[\\`*_[\]<>|~]/g, "\\$&");
}

/** Code on one line; the fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const clean = sanitizeText(text, { singleLine: true, maxLength: 4_000 });
  const longest = Math.max(0, ...(clean.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${fence}${space}${clean}${space}${fence}`;
}
