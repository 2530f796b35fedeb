import { comparisonsIn, presencesIn } from "../query/filters.js";
import { conditionsIn } from "./condition-words.js";
import { fieldsIn, namedFieldsIn } from "./field-words.js";
import type { Question } from "./question.js";
import { verbIn } from "./right-words.js";
import { stateIn } from "./state-words.js";
import { useIn } from "./use-words.js";

/** Something a question asks to look up, where nothing has to be wrong. */
export type Lookup =
  | "changes"
  | "images"
  | "count"
  | "restarts"
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
const show = /\b(?:which|what|show|list|get)\b/i;
const images = /\b(?:images?|versions?|tags?|releases?|builds?)\b/i;
const question =
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
/** "Show me the logs of web", "the last 20 lines of its log", "what does web log?", "cart logs" */
const logs = [
  /^\s{0,9}(?:please )?(?:show|get|print|tail|give|list|what(?:'?s| is| are| does| do| did)|the last|last)\b.{0,120}\b(?:logs?|logging)\b/i,
  /^\s{0,9}(?:(?:crash|error|previous) )?logs? (?:of|for|from) \S{1,253}(?: \S{1,253})?[?]?$/i,
  /^\s{0,9}\S{1,253}(?: (?:pod|container|crash|error|previous)){0,2} logs?[?]?$/i,
];
const count = /\bhow many\b|\b(?:number|count) of\b|^\s*count\b/i;
const restarts =
  /\b(?:which|what|list|show|any|how many)\b.{0,30}\b(?:pods?|containers?|workloads?)\b.{0,60}\brestart/i;
/** "How many restarts does it have?", "its restart count" */
const howOften = /\b(?:how many|how often|number of|counts?(?: of)?)\b/i;
const list = /^\s*(?:list|show(?: me)?|get|which|what|(?:are|is) there|name|any|do we have|all)\b/i;
/** Words between kinds, places and values: `services of type NodePort in shop`. */
const between =
  /^(?:in|of|on|from|for|with|by|the|type|label|labels|class|namespace|ns|-n|all|my|our|and|or|please|pls|there|now)$/i;

/** Maximum number of characters before the kinds of a list: "show me all of our". */
const maxBefore = 24;

/** True for kinds with a place and values, and no verb: each word is one of those between, or follows one. */
function isBare(rest: string): boolean {
  const words = rest
    .replace(/\?/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.every((word, index) => between.test(word) || between.test(words[index - 1] ?? ""));
}

const saysFailure =
  /\b(?:why|wrong|broken|fail(?:s|ed|ing|ure)?|fix|repair|problems?|issues?|down|slow|unhealthy)\b/i;
const failure =
  /\b(?:why|wrong|fail\w*|broke|broken|differ\w*|crash\w*|pull\w*|error\w*|problem\w*|issue\w*|unhealthy|down|stuck|fix)\b|\b(?:gives?|gave|gets?|got|returns?|returned|answers?|answered|serves?|served|throws?|threw|sees?) (?:an? |http |only |me ){0,3}[45]\d\d\b/i;

const denied =
  /\b(?:cannot|never|unable|nothing|nobody|(?:does|do|did|can|could|will|would|is|are|was|has|have) not|without success)\b|n't\b/i;
/** "Who runs this image?" */
const usedBy = /^\s{0,9}(?:which|what|who|where|list|show|find|is|are)\b/i;

/** "What runs on node n2?" */
const placed = (query: string) =>
  /^\s{0,9}(?:what|which|list|show|how many)\b/i.test(query) &&
  /\b(?:runs?|running|scheduled|placed|lives?|are|is)\b/i.test(query) &&
  /\bon\b/i.test(query);
/** "What runs on n2?", "what is running there?" */
const runsThere = [
  /^\s{0,9}(?:what(?:'?s| is| are| all)?|which (?:things|workloads|apps)|list what|show what)(?: else)? (?:runs?|running|scheduled|placed|lives?|deployed|installed)\b.{0,40}\b(?:on|there|here|in|inside)\b(?! the last)/i,
  /^\s{0,9}(?:what(?:'?s| is)|is there anything) (?:all )?in (?:the )?(?:ns |namespace )?\S{1,63}(?: namespace| ns)?\s{0,9}\??$/i,
];
/** "Which node does web run on?" */
const nodeOf =
  /\b(?:which|what) nodes? (?:does|do|did|is|are) (?!ready|cordoned|unschedulable|not)/i;
/** A sentence that reports a failure, and says what was changed before: "dns is broken since it was edited". */
function isReport(query: string): boolean {
  return !question.test(query) && failure.test(query) && /\b(?:since|after|because)\b/i.test(query);
}

const suffers =
  /\b(?:keeps? \w{1,20}ing|dying|dies|died|dead|hangs?|hanging|hung|slow|slowly|outage|unreachable|tim(?:es|ed|ing) out|restart(?:s|ed|ing)|flapping|killed|oom\w{0,8}|gone|lost|evicted|pending)\b/i;

/** True for a sentence that says that something fails. */
export function reportsFailure(text: string): boolean {
  return failure.test(text) || denied.test(text) || suffers.test(text);
}

/** What a question asks to look up. Undefined for one about something that fails. */
export function parseLookup({
  query,
  kinds,
  signals,
  images: named,
}: Question): Lookup | undefined {
  if (/\bwhy\b/i.test(query)) return undefined;
  // A sentence that says what does not work asks for the cause, whatever else it names.
  if (!question.test(query) && denied.test(query)) return undefined;
  if (named.length > 0 && usedBy.test(query) && !failure.test(query)) return "list";
  if (fieldsIn(query).includes("version")) return "fields";
  // Whether it is a node is known later.
  const isThere = runsThere.some((form) => form.test(query)) && kinds.length === 0;
  if (isThere && !failure.test(query)) return "list";
  const isImages = show.test(query) && images.test(query);
  if (isImages && !failure.test(query)) return "images";
  const isPast =
    /^\s{0,9}(?:was|were|has|have|had|did)\b/i.test(query) && stateIn(query) !== "empty";
  const isAsked = asked.test(query) || (isPast && !failure.test(query));
  if (isAsked && changed.test(query) && !isReport(query)) return "changes";
  // "More than 5 restarts" sorts a list by their number, and does not ask for all that restarted.
  const isCompared = comparisonsIn(query).some(({ field }) => field === "restarts");
  if (isCompared && kinds.length > 0) return count.test(query) ? "count" : "list";
  if (restarts.test(query) || (howOften.test(query) && /\brestart/i.test(query))) return "restarts";
  const isNode = kinds.some((one) => one.kinds.includes("Node"));
  if (isNode && placed(query) && !nodeOf.test(query) && !failure.test(query)) return "list";
  if (count.test(query) && kinds.length > 0) return "count";
  const isLacking = /^(?:without|empty)/.test(stateIn(query) ?? "");
  if (isLacking && kinds.length > 0 && list.test(query)) return "list";
  const isFiltered = comparisonsIn(query).length + presencesIn(query).length > 0;
  if (
    isFiltered &&
    signals.size === 0 &&
    kinds.some(({ isPlural, at }) => isPlural && at < maxBefore)
  )
    return "list";
  if (failure.test(query)) return undefined;
  if (beginsList.test(query) && newest.test(query) && events.test(query)) return "events";
  const isRights = verbIn(query) !== undefined || allRights.test(query);
  if (rights.test(query) && rightWords.test(query) && isRights) return "rights";
  if (fieldsIn(query).length > 0 || namedFieldsIn(query).length > 0) return "fields";
  if (isImages) return "images";
  if (logs.some((form) => form.test(query))) return "logs";
  const use = useIn(query);
  if (use !== undefined) return use;
  // The words for the kinds are no state: a network policy is not one that blocks.
  const state = kinds.reduce(
    (text, { text: kind }) => text.replace(kind, " "),
    query.toLowerCase(),
  );
  const isPlain =
    kinds.some(({ isPlural }) => isPlural) &&
    (signals.size === 0 || conditionsIn(state).size === 0) &&
    !saysFailure.test(state);
  return isPlain && (list.test(query) || (kinds[0]?.at === 0 && isBare(state)))
    ? "list"
    : undefined;
}
