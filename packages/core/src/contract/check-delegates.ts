import type { DelegateRequest, Response } from "./response.js";
import { responseLimits } from "./response-limits.js";
import type { DataTaker } from "./take-data.js";
import { type Checked, isRecord, isText, type Mutable, tooMany, wrong } from "./unknown-value.js";
import { readUserLimits } from "./user-limits.js";

/**
 * Delegates to follow: none beside an error, where there is none, and for an empty array.
 *
 * @beta
 */
export function delegatesOf({ delegate, error }: Response): readonly DelegateRequest[] {
  if (delegate === undefined || error !== undefined) return none;
  return "to" in delegate ? [delegate] : delegate;
}

const none: readonly DelegateRequest[] = [];

/** Checks several delegates, and copies them. */
export function checkDelegates(
  delegates: readonly unknown[],
  maxQueryLength: number,
  dataTaker: () => DataTaker,
): Checked<readonly DelegateRequest[]> {
  if (delegates.length > responseLimits.items) {
    return { problem: tooMany("delegate", "items", delegates.length, responseLimits.items) };
  }
  const part: DelegateRequest[] = [];
  for (let index = 0; index < delegates.length; index++) {
    const checked = checkDelegate(delegates[index], maxQueryLength, dataTaker, index);
    if ("problem" in checked) return checked;
    part.push(checked.part);
  }
  return { part };
}

/** Checks a delegate, and copies it. @param index - Its place among several. */
export function checkDelegate(
  delegate: unknown,
  maxQueryLength: number,
  dataTaker: () => DataTaker,
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
    const taken = dataTaker().take(context, undefined);
    if ("problem" in taken) return { problem: `${place(index)}.context${taken.problem}` };
    part.context = taken.data;
  }
  if (user !== undefined) {
    const limits = readUserLimits(user);
    if ("problem" in limits) return { problem: `${place(index)}.user${limits.problem}` };
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
  return { problem: wrong(`${place(index)}${name}`, expected, got) };
}

function place(index: number | undefined): string {
  return index === undefined ? "delegate" : `delegate[${index}]`;
}
