import { isAuxiliary, isOpenQuestionWord, isTellingVerb, readQuestion } from "@constellation/nlu";
import { comparisonsIn, presencesIn } from "../query/filters.js";
import { conditionsIn } from "./condition-words.js";
import { asksMoment, fieldsIn } from "./field-words.js";
import { polarIn } from "./polar.js";
import type { Question } from "./question.js";
import { phrases } from "./question-words.js";
import { verbIn } from "./right-words.js";
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

const asked = phrases("lookup.asked");
const createdWords = phrases("filters.created");
const changed = phrases("lookup.changed");
const beginning = phrases("lookup.beginning");
const newest = phrases("lookup.newest");
const events = /\b(?:events?|warnings)\b/i;
const beginsList = phrases("lookup.beginsList");
const beginsEvents = phrases("lookup.beginsEvents");
/** A question about what an account may do, or who may do something. */
const rights = phrases("lookup.rights");
const rightWords = phrases("lookup.rightWords");
/** "What is it allowed to do?" */
const allRights = phrases("lookup.allRights");
/** "Show me the logs of web", "what does web say?", "errors of cart", "tail cart", "cart logs" */
const logWords = phrases("lookup.logWords");
const saying =
  /^\s{0,9}(?:what (?:does|do|did) \S{1,253} (?:say|print|write)|errors? (?:of|in|from) \S{1,253})\W{0,9}$/i;
/** Maximum number of words of a request that has no verb. */
const maxBare = 4;

const failure = phrases("lookup.failure");

const denied = phrases("lookup.denied");
/** "Why is it so?", "what made it stop?" */
const cause = phrases("lookup.cause");
/** "Who runs this image?" */
const usedBy = phrases("lookup.usedBy");

/** A sentence that reports a failure, and says what was changed before: "dns is broken since it was edited". */
function isReport(query: string): boolean {
  return (
    !beginning.test(query) && failure.test(query) && /\b(?:since|after|because)\b/i.test(query)
  );
}

const suffers = phrases("lookup.suffers");

/** True for a sentence that says that something fails. */
export function reportsFailure(text: string): boolean {
  return failure.test(text) || denied.test(text) || suffers.test(text);
}

const past = phrases("lookup.past");

/** True for a question about a failure that was, and that no yes or no answers: "why was it down on Sunday?" */
export function reportsPast(query: string): boolean {
  const isOpen = readQuestion(query).clauses.every(
    ({ act, body }) =>
      act !== "yes-no" || toWords(body.toLowerCase()).some((word) => isOpenQuestionWord(word)),
  );
  return past.test(query) && isOpen && reportsFailure(query) && polarIn(query) === undefined;
}

/** What a question asks to look up. Undefined for one about something that fails. */
export function parseLookup(question: Question): Lookup | undefined {
  const { query, kinds, images: named } = question;
  if (cause.test(query)) return undefined;
  if (asksLog(query)) return "logs";
  if (asksRemedy(query)) return undefined;
  if (toWords(query).some(isVariable) && !reportsFailure(query)) return "fields";
  const things = readThings(query, kinds);
  const isIn = things !== undefined && isListed(question, things);
  // A sentence that says what does not work asks for the cause, whatever else it names.
  if (!isIn && !beginning.test(query) && denied.test(query)) return undefined;
  if (named.length > 0 && usedBy.test(query) && !failure.test(query)) return "list";
  if (isIn && comparisonsIn(query).length > 0) return listOf(things);
  if (isIn && things.mention?.isPlural === true && createdWords.test(query)) return listOf(things);
  // Words for versions are those of a change, too.
  const fields = fieldsIn(query);
  if (fields.includes("version")) return "fields";
  if (fields.includes("image") && !failure.test(query)) return "fields";
  const isPast =
    /^\s{0,9}(?:was|were|has|have|had|did)\b/i.test(query) && stateIn(query) !== "empty";
  const isAsked = asked.test(query) || (isPast && !failure.test(query));
  // "When did the import fail?" asks for a time, which is a field of its run.
  if (asksMoment(query) && fields.includes("run") && !changed.test(query)) return "fields";
  if (isAsked && changed.test(query) && !isReport(query)) return "changes";
  if (failure.test(query)) return isIn ? listOf(things) : undefined;
  const isBareEvents = toWords(query).length <= maxBare || beginsEvents.test(query);
  if (events.test(query) && (isBareEvents || (beginsList.test(query) && newest.test(query))))
    return "events";
  const isRights = verbIn(query) !== undefined || allRights.test(query);
  if (rights.test(query) && rightWords.test(query) && isRights) return "rights";
  if (fields.length > 0) return "fields";
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
function isListed({ query, kinds }: Question, { isAsked, mention }: Things): boolean {
  // The words for the kinds are no state: a network policy is not one that blocks.
  const words = kinds.reduce(
    (text, { text: kind }) => text.replace(kind, " "),
    query.toLowerCase(),
  );
  const behind = query.slice(mention === undefined ? 0 : mention.at + mention.text.length);
  const state = stateIn(words);
  if (state === "broken") return false;
  const isNarrowed =
    state !== undefined || comparisonsIn(query).length + presencesIn(query).length > 0;
  if (isNarrowed) return isAsked || !reportsFailure(words) || query.trimEnd().endsWith("?");
  return !reportsFailure(words) && (!isAsked || conditionsIn(behind).size === 0);
}
