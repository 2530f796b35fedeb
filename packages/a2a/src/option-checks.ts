/** Longest timer that Node.js can hold, in milliseconds: about 24.8 days. */
export const longestTimerMs = 2_147_483_647;

/** @throws TypeError naming the first key that nobody reads, and those that are. */
export function requireObject(at: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${at}: expected an object, got ${describeValue(value)}.`);
  }
  for (const [key, held] of Object.entries(value)) {
    if (!known.includes(key) && held !== undefined) {
      throw new TypeError(
        `${at}: unknown key ${describeValue(key)}. Known are ${known.join(", ")}.`,
      );
    }
  }
}

/** @throws TypeError or RangeError unless `value` is absent or an integer in the range. */
export function requireInteger(at: string, value: unknown, least: number, most: number): void {
  if (value === undefined) return;
  const expected = `expected an integer, ${least} to ${most}`;
  if (typeof value !== "number") {
    throw new TypeError(`${at}: ${expected}, got ${describeValue(value)}.`);
  }
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${at}: ${expected}, got ${value}.`);
  }
}

/** @throws TypeError or RangeError unless `value` is absent or text that is not blank. */
export function requireText(at: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== "string") {
    throw new TypeError(`${at}: expected text, got ${describeValue(value)}.`);
  }
  if (value.trim() === "") throw new RangeError(`${at}: expected text, got "${value}".`);
}

/** @throws TypeError unless `value` has the methods of a router that are used here. */
export function requireRouter(router: unknown): void {
  const isRouter =
    typeof router === "object" &&
    router !== null &&
    ["start", "list", "find"].every(
      (method) => typeof (router as Readonly<Record<string, unknown>>)[method] === "function",
    );
  if (!isRouter) {
    throw new TypeError(
      `router: expected what createRouter() gives, got ${describeValue(router)}.`,
    );
  }
}

/** Names a wrong value in a message, without what may be secret: of longer text only the length. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") {
    return /^[\w.:-]{0,40}$/.test(value) ? `"${value}"` : `text of ${value.length} characters`;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : typeof value;
}
