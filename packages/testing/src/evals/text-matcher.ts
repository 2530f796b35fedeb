import { createContext, Script } from "node:vm";

/** Maximum time for one pattern over one text, in milliseconds. Beyond it, the pattern is given up. */
const patternTimeoutMs = 250;

/** Result of a search: `too-slow` when a pattern did not finish in time. */
export type Found = "yes" | "no" | "too-slow";

/** Looks for a text, or a `/pattern/`, in another. */
export function find(wanted: string, text: string): Found {
  const pattern = parsePattern(wanted);
  if (pattern === undefined) return fold(text).includes(fold(wanted)) ? "yes" : "no";
  return matches(pattern, text);
}

/** The same for a name, which must be equal as a whole; a pattern may match a part. */
export function isNamed(wanted: string, name: string): Found {
  const pattern = parsePattern(wanted);
  if (pattern === undefined) return name === wanted ? "yes" : "no";
  return matches(pattern, name);
}

/** The problem of a `/pattern/`. Other texts have none. */
export function patternProblem(wanted: string): string | undefined {
  try {
    parsePattern(wanted);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : "is not a pattern";
  }
}

/** @throws SyntaxError for an invalid pattern. */
function parsePattern(wanted: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(wanted) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

// Patterns backtrack, and no rule for their form finds every slow one. A script's time limit ends
// them while they run, which nothing else in Node.js does.
const sandbox = createContext(Object.create(null));
const script = new Script("pattern.test(text)");

function matches(pattern: RegExp, text: string): Found {
  Object.assign(sandbox, { pattern, text });
  try {
    return script.runInContext(sandbox, { timeout: patternTimeoutMs }) === true ? "yes" : "no";
  } catch {
    return "too-slow";
  } finally {
    Object.assign(sandbox, { pattern: undefined, text: undefined });
  }
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ");
}
