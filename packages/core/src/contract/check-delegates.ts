import { type Checked, isText, type Mutable, tooMany, wrong } from "./checked-part.js";
import type { DelegateRequest } from "./response.js";
import { responseLimits } from "./response-limits.js";
import { isRecord } from "./unknown-value.js";
import { readUserLimits } from "./user-limits.js";

/** Checks several delegates, and copies them. */
export function checkDelegates(
  delegates: readonly unknown[],
  maxQueryLength: number,
): Checked<readonly DelegateRequest[]> {
  if (delegates.length > responseLimits.items) {
    return { problem: tooMany("delegate", "items", delegates.length, responseLimits.items) };
  }
  const part: DelegateRequest[] = [];
  for (let index = 0; index < delegates.length; index++) {
    const checked = checkDelegate(delegates[index], maxQueryLength, index);
    if ("problem" in checked) return checked;
    part.push(checked.part);
  }
  return { part };
}

/** Checks a delegate, and copies it. @param index - Its place among several. */
export function checkDelegate(
  delegate: unknown,
  maxQueryLength: number,
  index?: number,
): Checked<DelegateRequest> {
  if (!isRecord(delegate)) return wrongDelegate(index, "", "an object with `to`", delegate);
  const { to, query, context, user } = delegate;
  if (!isText(to) || to === "") return wrongDelegate(index, ".to", "the id of a librarian", to);
  const part: Mutable<DelegateRequest> = { to };
  if (query !== undefined) {
    if (typeof query !== "string") return wrongDelegate(index, ".query", "text", query);
    if (query.length > maxQueryLength) {
      const most = `at most ${maxQueryLength} characters`;
      return wrongDelegate(index, ".query", most, query);
    }
    part.query = query;
  }
  if (context !== undefined) {
    if (!isRecord(context)) return wrongDelegate(index, ".context", "an object", context);
    part.context = { ...context };
  }
  if (user !== undefined) {
    const limits = readUserLimits(user);
    if ("problem" in limits) {
      const place = index === undefined ? "delegate" : `delegate[${index}]`;
      return { problem: `${place}.user${limits.problem}` };
    }
    part.user = limits.part;
  }
  return { part };
}

function wrongDelegate(
  index: number | undefined,
  name: string,
  expected: string,
  got: unknown,
): { readonly problem: string } {
  return {
    problem: wrong(`delegate${index === undefined ? "" : `[${index}]`}${name}`, expected, got),
  };
}
