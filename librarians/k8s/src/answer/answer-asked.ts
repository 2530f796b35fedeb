import { firstLine, sanitizeMarkdown } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import { isAuxiliary, readQuestion } from "@constellation/nlu";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import { isKindName } from "../cluster/kinds.js";
import type { Investigation } from "../investigation.js";
import { type Query, readQuery } from "../query/query.js";
import type { RequestedLookup, RequestedLookups } from "../question/asked.js";
import { fieldsIn } from "../question/field-words.js";
import { isImage } from "../question/images.js";
import { asksRemedy, reportsFailure } from "../question/lookup.js";
import { measuresIn } from "../question/measures.js";
import { polarIn } from "../question/polar.js";
import { asksProperty } from "../question/property.js";
import { phrases } from "../question/question-words.js";
import { stateIn } from "../question/state-words.js";
import { toWords } from "../question/words.js";
import { type AnswerContext, answerFrom } from "./answer-from.js";
import { answerLogs } from "./answer-logs.js";
import { answerQuery, answerUnknown, runLookupFor, type Untellable } from "./answer-lookup.js";
import { lookupMetadata, printLookedUp, writeLookedUp } from "./forms.js";
import { freeFields } from "./lookups.js";
import { findNeeded } from "./needed-to-tell.js";

/** Maximum number of lines of what is looked up beside a diagnosis. */
const maxBeside = 4;

/** Answers a question: its lookups, its diagnosis, or both. */
export async function answerAsked(
  found: Investigation,
  asked: RequestedLookups,
  { reader, ...given }: AnswerContext & { readonly reader: ClusterReader },
): Promise<Response> {
  const unknown =
    asked.isComputable === false
      ? undefined
      : explainUnmeasured(found, asked.lookups.length > 0 || asked.mayBeField);
  if (unknown !== undefined) return answerUnknown(found, unknown, given.source);
  const computed = asked.isComputable === false ? undefined : readComputed(found);
  if (computed !== undefined) return answerQuery(found, computed, given.source);
  const { lookups, isDiagnosis } = asked.mayBeField ? withField(asked, found) : asked;
  const isOfFields = lookups.length > 1 && lookups.every(({ lookup }) => lookup === "fields");
  // "Port that it opens, and for which label": fields are found by all of the words.
  const whole: readonly RequestedLookup[] = isOfFields
    ? [{ lookup: "fields", query: found.question.query }]
    : lookups;
  const wanted = whole.filter((one) => canLookUp(one, found));
  const lacking =
    wanted.length > 0 || asked.isComputable === false ? undefined : explainLacking(found);
  if (lacking !== undefined) return answerUnknown(found, lacking, given.source);
  if (wanted.length === 0 || isDiagnosis) {
    const response = await answerFrom(found, given);
    const isFirst = !isDiagnosis;
    return wanted.reduce((all, one) => beside(all, one, found, isFirst), response);
  }
  const answers = await Promise.all(
    wanted.map(async ({ lookup, query }) =>
      lookup === "logs"
        ? answerLogs(found, reader, given.signal)
        : writeLookedUp(lookup, runLookupFor(found, lookup, query), found, given.source),
    ),
  );
  // Of two that begin with the same sentence the second says more of it.
  const [first, ...others] = answers.filter(
    ({ answer = "" }, index) =>
      !answers.slice(index + 1).some((one) => firstLine(one.answer ?? "") === firstLine(answer)),
  );
  return others.reduce(joined, first ?? { answer: "" });
}

/** Why what a question asks for cannot be told, where nothing that was read holds it. */
function explainLacking({
  question: { query },
  target,
  subject,
  findings,
}: Investigation): Untellable | undefined {
  const of = target.kind === "objects" ? ` of ${subject}` : "";
  // An amount is computed, not a state: where nothing of it can be computed, nothing else answers it.
  if (asksAmount.test(query) && !asksRemedy(query))
    return { what: `That number${of}`, why: "no field that was read holds it", isOfState: true };
  // A field that nothing has does not show health.
  const isField =
    asksProperty(query) &&
    target.kind === "objects" &&
    readQuestion(query).clauses.every(({ act, head }) => act === "fact" && !isAuxiliary(head));
  return isField && !findings.some(({ current }) => current)
    ? { what: `What is asked${of}`, why: "no field that was read has that name" }
    : undefined;
}

/** An amount, or what will be. */
const asksAmount = phrases("answer-asked.asksAmount");

/**
 * Why what a question asks for cannot be told of the objects of a cluster, whatever was read.
 *
 * @param isLookup - True where its words name a field: "is it near its limit" is of its use, and not of what is set.
 */
export function explainUnmeasured(found: Investigation, isLookup = false): Untellable | undefined {
  const { query } = found.question;
  const { view, findings, target, subject } = found;
  const of = target.kind === "objects" ? ` of ${subject}` : "";
  const needed = findNeeded(found);
  if (needed !== undefined) return needed;
  const { act } = readQuestion(query);
  // What fails is said, whatever amount is named beside it.
  const isShown = reportsFailure(query) && findings.some((one) => one.current && one.verified);
  if (act === "why" || act === "report" || isShown) return undefined;
  const [lacking] = measuresIn(query).filter(({ isUsage }) => !isUsage || view.usage.length === 0);
  const isPolar = act === "yes-no" && toWords(query.toLowerCase()).some(isAuxiliary);
  return lacking === undefined || (isPolar && !(isLookup && lacking.isUsage))
    ? undefined
    : {
        what: `${lacking.name.charAt(0).toUpperCase()}${lacking.name.slice(1)}${of}`,
        why: `it is measured (${lacking.metric}), and was not read`,
      };
}

/** What a question computes, where it asks for that, and for no cause and no health. */
function readComputed(found: Investigation): Query | undefined {
  const { query } = found.question;
  const { act } = readQuestion(query);
  if (act === "why" || /\bwhy\b/i.test(query)) return undefined;
  // A workload called `manifest` asks for no manifest.
  const names = new Set(found.objects.map(({ metadata }) => metadata.name.toLowerCase()));
  const text = query.replace(/[\w.-]+/g, (word) => (names.has(word.toLowerCase()) ? "it" : word));
  const read = readQuery(found, text);
  // "Total cpu requests" has the form of a sentence, and so has "web has no replicas".
  const isReport = act === "report" && reportsFailure(query);
  if (isReport || (act === "report" && !ofPhrases.has(read?.output.to ?? ""))) return undefined;
  const isHealth = polarIn(query) !== undefined && !reportsSame.has(read?.output.to ?? "");
  // "One pod works, the other gets 403. Same keys": a failure is reported, and nothing compared.
  const isTold = read?.output.to === "same" && reportsFailure(query);
  return isHealth || isTold ? undefined : read;
}

/** What a phrase computes that has the form of a sentence: "total cpu requests", "claims sorted by size". */
const ofPhrases: ReadonlySet<string> = new Set(["sum", "extreme", "groups"]);

/** What "are all ... the same" and "has it more ... than" compute, beside a state that they may name. */
const reportsSame: ReadonlySet<string> = new Set(["same", "compare", "differences", "yaml"]);

/** Adds a lookup of a field that the question's words name, where a named object has that field. */
function withField(
  asked: RequestedLookups,
  { question, objects, view }: Investigation,
): RequestedLookups {
  const { query } = question;
  const found = freeFields({ named: objects, query, view });
  return found === undefined
    ? asked
    : { ...asked, lookups: [{ lookup: "fields", query }], isDiagnosis: false };
}

/** False if no named object has the property; then the question asks for a diagnosis. */
function canLookUp({ lookup, query }: RequestedLookup, found: Investigation): boolean {
  const { target, namespace, kindsAsked, findings } = found;
  // A certificate that was not read may be known to have expired.
  const isExpired = findings.some(
    ({ signal, current }) => current && signal === "CertificateNotReady",
  );
  if (lookup === "fields" && isExpired && fieldsIn(query).includes("expiry"))
    return found.objects.some(({ kind }) => kind === "Certificate");
  // "Which budget blocks n1?" is answered by what is wrong, where nothing of that kind belongs to n1.
  const isOther = (lookup === "list" || lookup === "count") && target.kind === "objects";
  const state = stateIn(query);
  if (
    isOther &&
    (state === undefined || state === "broken") &&
    reportsFailure(query) &&
    findings.some(({ object }) => kindsAsked.some((kind) => kind === object.kind))
  )
    return false;
  // "Exceeded quota media-pods, who is using it up?" asks about the failure, where nothing is found to use it.
  const isFailing = findings.some(({ current }) => current);
  if (lookup === "users" && isFailing && runLookupFor(found, lookup, query).objects.length === 0)
    return false;
  if (target.kind === "objects") {
    // "What runs there?" is a list where it is a node.
    const isPlace = target.objects.some(({ kind }) => kind === "Node" || !isKindName(kind));
    return lookup !== "list" || kindsAsked.length > 0 || isPlace || toWords(query).some(isImage);
  }
  if (lookup === "logs") return false;
  // A property is one of something named, or of all of a kind or a namespace.
  const isWide = namespace !== undefined || kindsAsked.length > 0;
  return (lookup !== "fields" && lookup !== "needs") || isWide;
}

/** A diagnosis with what is looked up beside it. */
function beside(
  response: Response,
  { lookup, query }: RequestedLookup,
  found: Investigation,
  isFirst: boolean,
): Response {
  if (lookup === "logs" || response.answer === undefined) return response;
  const result = runLookupFor(found, lookup, query);
  const block = sanitizeMarkdown(printLookedUp(result, found.view.now, maxBeside));
  const parts = isFirst ? [block, response.answer] : [response.answer, block];
  return {
    ...response,
    answer: parts.join("\n\n"),
    metadata: {
      ...response.metadata,
      ...lookupMetadata(lookup, result, found.view.now),
    },
  };
}

/** Joins two answers. The lower confidence counts. */
function joined(one: Response, other: Response): Response {
  const sources = [...(one.sources ?? []), ...(other.sources ?? [])];
  return {
    ...one,
    answer: [one.answer, other.answer].filter((part) => part !== undefined).join("\n\n"),
    confidence: Math.min(one.confidence ?? 0, other.confidence ?? 0),
    ...((one.partial === true || other.partial === true) && { partial: true }),
    sources: sources.filter(
      ({ name }, index) => sources.findIndex((each) => each.name === name) === index,
    ),
  };
}
