import { phrases } from "./question-words.js";
/** Assumptions of a question that decide what must be read before they can be refuted. */
export interface Claims {
  /** Calls to or from something fail. Policies, services and logs are evidence. */
  readonly calls: boolean;
  /** Names are not resolved. */
  readonly names: boolean;
  /** It asks whether one object can reach another, which policies and services decide, not a log. */
  readonly reach: boolean;
  /** It asks whether one object can reach another, and assumes that the call is blocked. */
  readonly keeps: boolean;
  /** Something fails in a way that only a log shows, not the state of objects. */
  readonly behaviour: boolean;
}

const calls = phrases("claims.calls");
const names = phrases("claims.names");
/** What the state of objects shows, and so can deny: beginnings of words, and whole ones. */
const stateStems = phrases("claims.stateStems");
const stateWords = phrases("claims.stateWords");
/** An open question, which takes nothing for granted. */
const open = phrases("claims.open");

/** "Can web reach the api?", "is web allowed to talk to api?" */
/** "Does a policy keep web from reaching api?" */
const keeps = phrases("claims.keeps");
const lets = phrases("claims.lets");
const travels = phrases("claims.travels");
const reach = phrases("claims.reach");

/** True for a question that leaves open whether anything fails. */
export function isOpenQuestion(query: string): boolean {
  return open.test(query);
}

/** Reads the assumptions of a question. */
export function readClaims(query: string): Claims {
  const isClaim = !open.test(query);
  return {
    reach:
      reach.test(query) ||
      (open.test(query) && (keeps.test(query) || lets.test(query)) && travels.test(query)),
    keeps: keeps.test(query),
    calls: isClaim && calls.test(query),
    names: isClaim && names.test(query),
    behaviour: isClaim && !stateStems.test(query) && !stateWords.test(query),
  };
}
