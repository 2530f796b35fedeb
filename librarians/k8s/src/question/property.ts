import { isAuxiliary, isFunctionWord, readQuestion } from "@constellation/nlu";
import { conditionsIn } from "./condition-words.js";
import { reportsFailure } from "./lookup.js";
import { measuresIn } from "./measures.js";
import { phrases } from "./question-words.js";
import { stateIn } from "./state-words.js";
import { isVariable, toWords } from "./words.js";

const asks = phrases("property.asks");
const denial = phrases("field-words.denial");
/** Words for how something is, which no field has. */
const state = phrases("property.state");

/** True for a question that asks for a field of what it names: it is answered by a field, or not at all. */
export function asksProperty(query: string): boolean {
  return (
    (asks.test(query) || isBare(query) || toWords(query).some(isVariable)) && mayAskProperty(query)
  );
}

/** True for a question or a phrase that a field may answer, by the field's own name: if one has its words. */
export function mayAskProperty(query: string): boolean {
  const reading = readQuestion(query);
  // "Port 8080 refused on web" reports something.
  const isTold =
    !asks.test(query) &&
    (toWords(query).some(isNumber) ||
      (!beginsWithField(query) &&
        (conditionsIn(query.toLowerCase()).size > 0 || reading.act === "report")));
  return (
    !reading.clauses.some(({ head }) => isAuxiliary(head)) &&
    !isTold &&
    !denial.test(query) &&
    !state.test(query) &&
    !reportsFailure(query) &&
    measuresIn(query).length === 0
  );
}

/** Maximum number of words of fields before what has them. */
const maxFieldWords = 5;

/** "Limit of nodepool b ...", "min, max and target of it" */
function beginsWithField(query: string): boolean {
  const at = toWords(query.toLowerCase()).indexOf("of");
  return at > 0 && at <= maxFieldWords;
}

/** True where its form asks for something of a thing: "what ...", "schedule of ...". */
export function asksByForm(query: string): boolean {
  return asks.test(query) || beginsWithField(query) || toWords(query).some(isVariable);
}

/** Words that stand before what has a field, and how many words of the field may be before them. */
const joints: Readonly<Record<string, number>> = {
  of: 4,
  in: 1,
  for: 1,
  on: 1,
  behind: 1,
  that: 2,
};
/** Maximum number of words of a field and its object, and of those behind a joint. */
const maxBare = 4;

/** True for a field and its object, without a verb: "schedule of the nightly run?", "LOG_LEVEL in web", "kafka args" */
function isBare(query: string): boolean {
  const words = toWords(query.toLowerCase());
  const at = words.findIndex((word) => word in joints);
  const most = joints[words[at] ?? ""] ?? 0;
  const isPhrase = !isAuxiliary(words[0] ?? "");
  if (isPhrase && at > 0 && at <= most && words.length - at <= maxBare) return true;
  // "Fares 0/3 ready" says how it is.
  return (
    words.length <= maxBare &&
    !words.some((word) => isFunctionWord(word) || isNumber(word)) &&
    stateIn(query) === undefined &&
    conditionsIn(query.toLowerCase()).size === 0
  );
}

function isNumber(word: string): boolean {
  return /^\d/.test(word);
}
