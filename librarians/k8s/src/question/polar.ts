import { type Clause, isAuxiliary } from "@constellation/nlu";
import type { State } from "../fields/table.js";
import { readClauses } from "./asking.js";
import { phrases } from "./question-words.js";
import { stateIn } from "./state-words.js";

/** A question that "yes" or "no" answers: `is web ready?`, `did the import finish?`, `any pods pending?`. */
export interface Polar {
  /** `healthy`: that nothing is wrong with it. */
  readonly state: State | "healthy";
  /** True when one thing in that state is enough: `is anything pending?` */
  readonly isAny: boolean;
}

/** A few words and a question mark: `cart down??` */
const short = /^[\w ./-]{1,80}\?{1,9}$/;
const maxShortWords = 4;
const open = phrases("polar.open");
const any = phrases("polar.any");
const fine = phrases("polar.fine");

/** The state that a question asks about, where yes or no answers it. Undefined for any other question. */
export function polarIn(query: string): Polar | undefined {
  for (const clause of readClauses(query)) {
    const polar = parsePolarClause(clause);
    if (polar !== undefined) return polar;
  }
  return undefined;
}

function parsePolarClause({ body: text, head, isQuestion }: Clause): Polar | undefined {
  const isShort = short.test(text) && text.split(" ").length <= maxShortWords;
  if (!((isQuestion && isAuxiliary(head)) || head.startsWith("any") || isShort) || open.test(text))
    return undefined;
  const said = stateIn(text);
  const isFine = fine.test(text);
  const state = isFine && (said === undefined || said === "running") ? "healthy" : said;
  return state === undefined ? undefined : { state, isAny: any.test(text) };
}

/** True for a question whether anything is in one state: what is wrong in another way does not answer it. */
export function asksAnyInState(query: string): boolean {
  const polar = polarIn(query);
  return polar?.isAny === true && polar.state !== "healthy" && polar.state !== "broken";
}
