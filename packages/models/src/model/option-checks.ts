import type { ModelPrices } from "./meter.js";

/** An object with string keys. */
export type Options = Readonly<Record<string, unknown>>;

/** @throws TypeError unless `options` is an object whose keys are all known. */
export function requireOptions(options: unknown, known: readonly string[]): Options {
  if (!isRecord(options)) throw new TypeError(`options: expected an object, got ${kind(options)}.`);
  for (const key of Object.keys(options)) {
    if (options[key] !== undefined && !known.includes(key)) {
      throw new TypeError(`options: unknown key "${key}". Known are ${known.join(", ")}.`);
    }
  }
  return options;
}

/** @throws TypeError unless `value` is absent or text. */
export function requireText(key: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value.trim() !== "")) return;
  throw new TypeError(`${key}: expected text, got ${kind(value)}.`);
}

/** @throws TypeError or RangeError unless `value` is absent or may stand in a header. Never names it. */
export function requireKey(key: string, value: unknown): void {
  requireText(key, value);
  if (typeof value === "string" && !/^[\x21-\x7e]+$/.test(value)) {
    throw new RangeError(`${key}: has a space, or a character that no key has.`);
  }
}

/** @throws TypeError or RangeError unless `value` is absent or an http(s) URL without a password. */
export function requireUrl(key: string, value: unknown): void {
  requireText(key, value);
  if (typeof value !== "string") return;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RangeError(`${key}: expected an http or https URL.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new RangeError(`${key}: must hold no user and no password.`);
  }
}

/** @throws TypeError or RangeError unless `value` is absent or an integer of `least` or more. */
export function requireCount(key: string, value: unknown, least: number): void {
  if (value === undefined) return;
  const expected = `expected an integer of ${least} or more`;
  if (typeof value !== "number") throw new TypeError(`${key}: ${expected}, got ${kind(value)}.`);
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${key}: ${expected}, got ${value}.`);
  }
}

/** @throws TypeError or RangeError unless `value` is absent, milliseconds from 1, or `Infinity`. */
export function requireDuration(key: string, value: unknown): void {
  if (value === undefined) return;
  const expected = "expected milliseconds, 1 or more, or Infinity";
  if (typeof value !== "number") throw new TypeError(`${key}: ${expected}, got ${kind(value)}.`);
  if (!(value >= 1)) throw new RangeError(`${key}: ${expected}, got ${value}.`);
}

/** @throws RangeError unless `value` is absent or one of `allowed`. */
export function requireOneOf(key: string, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || allowed.includes(value)) return;
  const shown = allowed.map((one) => JSON.stringify(one)).join(", ");
  throw new RangeError(`${key}: expected one of ${shown}, got ${kind(value)}.`);
}

/** @throws TypeError unless `value` is absent or a function. */
export function requireFunction(key: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw new TypeError(`${key}: expected a function, got ${kind(value)}.`);
}

const priceKeys: readonly string[] = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
] satisfies readonly (keyof ModelPrices)[];

/** @throws TypeError or RangeError unless `value` is absent or has prices by model id. */
export function requirePrices(value: unknown): void {
  if (value === undefined) return;
  if (!isRecord(value)) throw new TypeError(`prices: expected an object, got ${kind(value)}.`);
  for (const [model, prices] of Object.entries(value)) {
    const at = `prices["${model}"]`;
    if (!isRecord(prices)) throw new TypeError(`${at}: expected an object, got ${kind(prices)}.`);
    for (const key of new Set(["input", "output", ...Object.keys(prices)])) {
      const price = prices[key];
      if (!priceKeys.includes(key)) throw new TypeError(`${at}: unknown key "${key}".`);
      if (price === undefined && key.startsWith("cache")) continue;
      if (typeof price !== "number" || !(price >= 0)) {
        throw new RangeError(`${at}.${key}: expected US dollars for a million tokens, 0 or more.`);
      }
    }
  }
}

function isRecord(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A wrong value by its kind alone: a text could be a key that slipped. */
function kind(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text of ${value.length} characters`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : typeof value;
}
