import { responseLimits } from "./response-limits.js";
import { describeType } from "./unknown-value.js";

export type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** What a check of a part found: its copy, or the first problem. */
export type Checked<Part> = { readonly part: Part } | { readonly problem: string };

/** Whether a value is text that is not too long. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= responseLimits.textLength;
}

/** Whether a value is a number from 0 to 1. */
export function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

/** Names a field, what it must be, and the type of what it is. */
export function wrong(field: string, expected: string, got: unknown): string {
  return `${field}: expected ${expected}, got ${describeType(got)}`;
}

/** Names a field that has too many characters or items. */
export function tooMany(field: string, unit: string, got: number, most: number): string {
  return `${field}: expected at most ${most} ${unit}, got ${got}`;
}
