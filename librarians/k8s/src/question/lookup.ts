import { isAuxiliary, isTellingVerb } from "@constellation/nlu";
import { comparisonsIn, presencesIn } from "../query/filters.js";
import { conditionsIn } from "./condition-words.js";
import { fieldsIn, namedFieldsIn } from "./field-words.js";
import type { Question } from "./question.js";
import { verbIn } from "./right-words.js";
import { asksMoment } from "./run-words.js";
import { stateIn } from "./state-words.js";
import { readThings, type Things } from "./things.js";
import { useIn } from "./use-words.js";
import { isVariable, toWords } from "./words.js";

/** Something a question asks to look up, where nothing has to be wrong. */
export type Lookup =
  | "changes"
  | "count"
  | "list"
  | "fields"
  | "events"
  | "users"
  | "needs"
  | "logs"
  | "rights";

const asked =
  /\b(?:what|anything|anyone|anybody|someone|somebody|something|who|when|recent|recently|any|list|show|which)\b/i;
const changed =
  /\b(?:changed?|changes|deployed|rolled (?:out|back)|released|updated|modified|edit(?:ed)?|scaled|touch(?:ed)?|created|reconfigured|upgraded)\b/i;
const beginning =
  /^\s{0,9}(?:what|who|which|when|has|have|had|did|was|were|is|are|any\w*|show|list|tell|give|get|recent|how|does|do)\b/i;
const newest = /\b(?:list|show|get|what|which|any|recent|latest|last)\b/i;
const events = /\bevents?\b/i;
const beginsList =
  /^\s{0,9}(?:(?:please|pls) )?(?:list|show|get|give|tell|what|which|any|recent|latest|last|(?:are|were) there|has|have|does|did|is)\b/i;
/** A question about what an account may do, or who may do something. */
const rights = /^\s{0,9}(?:can|may|is|are|does|do|who (?:can|may|is|has)|which|what)\b/i;
const rightWords =
  /\b(?:service ?accounts?|sa|allowed|permissions?|permitted|rights?|rbac|who (?:can|may))\b/i;
/** "What is it allowed to do?" */
const allRights =
  /\b(?:allowed|permitted|able) to do\b|\b(?:what|which) (?:\w+ )?(?:permissions?|rights|roles?)\b|\bwhat (?:can|may)\b/i;
/** "Show me the logs of web", "what does web say?", "errors of cart", "tail cart", "cart logs" */
const logWords = /\b(?:logs?|logged|logging|tail|stdout)\b/i;
const saying =
  /^\s{0,9}(?:what (?:does|do|did) \S{1,253} (?:say|print|write)|errors? (?:of|in|from) \S{1,253})\W{0,9}$/i;
/** Maximum number of words of a request that has no verb. */
const maxBare = 4;

const failure =
  /\b(?:why|wrong|fail\w*|broke|broken|differ\w*|crash\w*|pull\w*|error\w*|problem\w*|issue\w*|unhealthy|down|stuck|fix)\b|\b(?:gives?|gave|gets?|got|returns?|returned|answers?|answered|serves?|served|throws?|threw|sees?) (?:an? |http |only |me ){0,3}[45]\d\d\b/i;

const denied =
  /\b(?:cannot|never|unable|nothing|nobody|(?:does|do|did|can|could|will|would|is|are|was|has|have) not|without success)\b|n't\b/i;
/** "Who runs this image?" */
const usedBy = /^\s{0,9}(?:which|what|who|where|list|show|find|is|are)\b/i;

/** A sentence that reports a failure, and says what was changed before: "dns is broken since it was edited". */
function isReport(query: string): boolean {
  return (
    !beginning.test(query) && failure.test(query) && /\b(?:since|after|because)\b/i.test(query)
  );
}

const suffers =
  /\b(?:keeps? \w{1,20}ing|dying|dies|died|dead|hangs?|hanging|hung|slow|slowly|outage|unreachable|tim(?:es|ed|ing) out|restart(?:s|ed|ing)|flapping|killed|oom\w{0,8}|gone|lost|evicted|pending)\b/i;

/** True for a sentence that says that something fails. */
export function reportsFailure(text: string): boolean {
  return failure.test(text) || denied.test(text) || suffers.test(text);
}

/** What a question asks to look up. Undefined for one about something that fails. */
export function parseLookup(question: Question): Lookup | undefined {
  const { query, kinds, images: named } = question;
  if (/\bwhy\b/i.test(query)) return undefined;
  if (asksLog(query)) return "logs";
  if (asksRemedy(query)) return undefined;
  if (toWords(query).some(isVariable) && !failure.test(query)) return "fields";
  const things = readThings(query, kinds);
  const isIn = things !== undefined && isListed(question, things);
  // A sentence that says what does not work asks for the cause, whatever else it names.
  if (!isIn && !beginning.test(query) && denied.test(query)) return undefined;
  if (named.length > 0 && usedBy.test(query) && !failure.test(query)) return "list";
  // Words for versions are those of a change, too.
  const fields = fieldsIn(query);
  if (fields.includes("version")) return "fields";
  if (fields.includes("image") && !failure.test(query)) return "fields";
  const isPast =
    /^\s{0,9}(?:was|were|has|have|had|did)\b/i.test(query) && stateIn(query) !== "empty";
  const isAsked = asked.test(query) || (isPast && !failure.test(query));
  // "When did the import fail?" asks for a time, which is a field of its run.
  if (asksMoment(query) && fields.includes("run")) return "fields";
  if (isAsked && changed.test(query) && !isReport(query)) return "changes";
  if (failure.test(query)) return isIn ? listOf(things) : undefined;
  if (beginsList.test(query) && newest.test(query) && events.test(query)) return "events";
  const isRights = verbIn(query) !== undefined || allRights.test(query);
  if (rights.test(query) && rightWords.test(query) && isRights) return "rights";
  if (fields.length > 0 || namedFieldsIn(query).length > 0) return "fields";
  const use = useIn(query);
  if (use !== undefined) return use;
  return isIn ? listOf(things) : undefined;
}

/** "What has to change so that web runs?" asks for the cause of a failure, not for what was changed. */
export function asksRemedy(query: string): boolean {
  const words = toWords(query.toLowerCase());
  const at = words.findIndex((word) => changed.test(word));
  const before = words[at - 1] ?? "";
  return before === "to" || (isAuxiliary(before) && words.slice(at).includes("so"));
}

/** True for a request for lines of a log, whatever they say. */
function asksLog(query: string): boolean {
  if (saying.test(query)) return true;
  const words = toWords(query);
  const isRequest =
    beginning.test(query) || isTellingVerb(words[0] ?? "") || words.length <= maxBare;
  const rest = query.replace(/\b(?:errors?|crash)\b/gi, " ");
  return logWords.test(query) && isRequest && !failure.test(rest) && !suffers.test(rest);
}

function listOf({ isCount }: Things): Lookup {
  return isCount ? "count" : "list";
}

/** True where a list of the things says it: by a state that their fields show, or by no trouble at all. */
function isListed({ query, kinds }: Question, { isAsked }: Things): boolean {
  // The words for the kinds are no state: a network policy is not one that blocks.
  const words = kinds.reduce(
    (text, { text: kind }) => text.replace(kind, " "),
    query.toLowerCase(),
  );
  const state = stateIn(words);
  if (state === "broken") return false;
  const isNarrowed =
    state !== undefined || comparisonsIn(query).length + presencesIn(query).length > 0;
  if (isNarrowed) return isAsked || !reportsFailure(words) || query.trimEnd().endsWith("?");
  return !reportsFailure(words) && (!isAsked || conditionsIn(words).size === 0);
}
