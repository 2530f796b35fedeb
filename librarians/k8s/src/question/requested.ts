import { readQuestion } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName } from "../cluster/kinds.js";
import { parseLookups, type RequestedLookups } from "./asked.js";
import { asksNumber, isAsking, readClauses } from "./asking.js";
import { readClaims } from "./claims.js";
import { readIntent } from "./intent.js";
import { type Lookup, reportsFailure } from "./lookup.js";
import type { Question } from "./question.js";
import { phrases } from "./question-words.js";
import { findRefusal, type Refusal } from "./request.js";
import { readThings } from "./things.js";

/** The lookup by which an intent is answered, where the words of a question name none. */
const lookups: Readonly<Record<string, Lookup>> = {
  list: "list",
  count: "count",
  changes: "changes",
  logs: "logs",
  relation: "users",
};
const mayWords = phrases("requested.mayWords");
/** Probability from which an intent decides what is looked up. */
const minProbability = 0.7;

/** A question with `it` in place of names that have a joint: "ip-10-1-2-3" asks for no address. */
function withoutNames(query: string, named: readonly KubernetesObject[]): string {
  const names = named
    .map(({ metadata }) => metadata.name)
    .filter((name) => ["-", "_", "."].some((joint) => name.includes(joint)));
  return names.reduce((text, name) => text.replaceAll(name, "it"), query);
}

/**
 * What a question asks to look up: by its words, else by what its intent is read as.
 *
 * @param named - What it names, whose names are no words of it.
 */
export function requestLookups(
  given: Question,
  named: readonly KubernetesObject[] = [],
): RequestedLookups {
  const question = { ...given, query: withoutNames(given.query, named) };
  const asked = parseLookups(question);
  if (asked.lookups.length > 0) return asked;
  // "What may the account do?", "can it list pods?"
  const isAccount = named.length > 0 && named.every(({ kind }) => kind === "ServiceAccount");
  if (isAccount && mayWords.test(question.query))
    return {
      lookups: [{ lookup: "rights", query: question.query }],
      isDiagnosis: false,
      mayBeField: false,
    };
  const isCustom = named.length > 0 && named.every(({ kind }) => !isKindName(kind));
  if (isCustom && asksForKind(question.query, named))
    return {
      ...asked,
      lookups: [{ lookup: asksNumber(question.query) ? "count" : "list", query: question.query }],
      isDiagnosis: false,
    };
  const { intent, probability } = readIntent(question);
  const lookup = lookups[intent];
  // A reported symptom asks for its cause, whatever else it names.
  const { act } = readQuestion(question.query);
  const isTold =
    act === "report" ||
    act === "why" ||
    reportsFailure(question.query) ||
    readClaims(question.query).reach;
  if (probability < minProbability || isTold) return asked;
  if (intent === "field") return { ...asked, mayBeField: true };
  return lookup === undefined
    ? asked
    : {
        lookups: [{ lookup, query: question.query }],
        isDiagnosis: false,
        // "How many replicas has web?" counts no things.
        mayBeField: lookup === "count" && named.length > 0 && asked.mayBeField,
      };
}

/** Whether a question lists or counts a kind of an extension: "how many external secrets are there". */
function asksForKind(query: string, named: readonly KubernetesObject[]): boolean {
  const text = query.toLowerCase();
  const word = named.map(({ kind }) => `${kind.toLowerCase()}s`).find((one) => text.includes(one));
  if (word === undefined) return false;
  const mention = { kinds: [], at: text.indexOf(word), text: word, isPlural: true };
  return readThings(text, [mention])?.isAsked === true && readClauses(query).some(isAsking);
}

/** Whether a question asks for a change or for a secret: by its words, unless its intent is certainly another one. */
export function readRefusal(question: Question): Refusal | undefined {
  const refusal = findRefusal(question.query);
  const { intent, certainty } = readIntent(question);
  if (certainty !== "certain") return refusal;
  if (intent === "write") return "change";
  return intent === "secret" ? "secret" : undefined;
}

/** Probability from which a question without words of a cluster is read as one about its state. */
const minOwn = 0.6;

/** Whether a question is likely about the state of a cluster, by its intent. */
export function isOurs(question: Question): boolean {
  const { intent, probability } = readIntent(question);
  return probability >= minOwn && !question.isHowTo && ours.has(intent);
}

const ours: ReadonlySet<string> = new Set(["diagnose", "yesno", "list", "count", "changes"]);

/** Whether a question is certainly not about the state of a cluster. */
export function isElsewhere(question: Question): boolean {
  const { intent, certainty } = readIntent(question);
  return certainty === "certain" && (intent === "howto" || intent === "ood");
}

/** Whether a question after a procedure names something that may fail: any word that is not one of grammar may be a name. */
export function mayRepair({ isHowTo, names, kinds }: Question): boolean {
  return isHowTo && (names.length > 0 || kinds.length > 0);
}
