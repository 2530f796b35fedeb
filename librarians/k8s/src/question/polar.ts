import { splitClauses } from "./clauses.js";
import { type State, stateIn } from "./state-words.js";

/** A question that "yes" or "no" answers: `is web ready?`, `did the import finish?`, `any pods pending?`. */
export interface Polar {
  /** `healthy`: that nothing is wrong with it. */
  readonly state: State | "healthy";
  /** True when one thing in that state is enough: `is anything pending?` */
  readonly isAny: boolean;
}

const beginning =
  /^(?:is|are|was|were|isn't|isnt|aren't|arent|wasn't|did|didn't|didnt|does|doesn't|do|has|have|hasn't|any\w*)\b/i;
/** A few words and a question mark: `cart down??` */
const short = /^[\w ./-]{1,80}\?{1,9}$/;
const maxShortWords = 4;
const open = /\b(?:why|how|which|what|whats|who|when|where|since when)\b/i;
const any = /\b(?:any\w*|(?:is|are|was|were) there|something|someone)\b/i;
const fine =
  /\b(?:ok|okay|fine|good|alright|all right|healthy|working|works|work|alive|well|happy)\b/i;

/** The state that a question asks about, where yes or no answers it. Undefined for any other question. */
export function polarIn(query: string): Polar | undefined {
  for (const { text } of splitClauses(query)) {
    const polar = parsePolarClause(text);
    if (polar !== undefined) return polar;
  }
  return undefined;
}

function parsePolarClause(text: string): Polar | undefined {
  const isShort = short.test(text) && text.split(" ").length <= maxShortWords;
  if ((!beginning.test(text) && !isShort) || open.test(text)) return undefined;
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
