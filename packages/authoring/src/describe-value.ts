import { redactSecrets } from "./redact-secrets.js";
import { sanitizeText } from "./sanitize-text.js";

/** How much {@link describeValue} may show. */
export interface DescribeOptions {
  /**
   * Whether the value may be a secret. Then only the length of text is shown.
   *
   * @default false
   */
  readonly isSecret?: boolean | undefined;
}

/**
 * Names a wrong value in an error message, in one line of at most 60 characters: text in quotes,
 * redacted and truncated; numbers and booleans as they are; of any other value the kind. Never throws.
 */
export function describeValue(value: unknown, { isSecret = false }: DescribeOptions = {}): string {
  if (typeof value === "string") {
    if (isSecret) return `text of ${value.length} characters`;
    const shown = redactSecrets(value.slice(0, 1_000));
    return JSON.stringify(sanitizeText(shown, { singleLine: true, maxLength: 41 }));
  }
  if (typeof value === "number" || typeof value === "boolean" || value == null) {
    return String(value);
  }
  return describeKind(value);
}

function describeKind(value: unknown): string {
  try {
    if (Array.isArray(value)) return `an array of ${value.length}`;
  } catch {
    return "an object"; // a revoked proxy
  }
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
