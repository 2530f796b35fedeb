import { sanitizeMarkdown } from "@constellation/authoring";
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
import { phrases } from "../question/question-words.js";
import { toWords } from "../question/words.js";
import { type AnswerContext, answerFrom } from "./answer-from.js";
import { answerLogs } from "./answer-logs.js";
import { answerLookup, answerQuery, answerUnknown, runLookupFor } from "./answer-lookup.js";
import { freeFields } from "./lookup-lines.js";
import { escaped } from "./markdown.js";

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
  const wanted = lookups.filter((one) => canLookUp(one, found));
  // An amount is computed, not a state: where nothing of it can be computed, nothing else answers it.
  if (
    wanted.length === 0 &&
    asked.isComputable !== false &&
    asksAmount.test(found.question.query) &&
    !asksRemedy(found.question.query)
  )
    return answerUnknown(
      found,
      "that amount cannot be said: no field of the objects that were read holds it",
      given.source,
    );
  // A field that nothing has does not show health.
  const isField =
    asked.mayBeField &&
    !reportsFailure(found.question.query) &&
    found.target.kind === "objects" &&
    readQuestion(found.question.query).clauses.every(
      ({ act, head }) => act === "fact" && !isAuxiliary(head),
    );
  if (wanted.length === 0 && isField && !found.findings.some(({ current }) => current))
    return answerUnknown(
      found,
      "what is asked for cannot be said: no field that was read has that name",
      given.source,
    );
  if (wanted.length === 0 || isDiagnosis) {
    const response = await answerFrom(found, given);
    const isFirst = !isDiagnosis;
    return wanted.reduce((all, one) => beside(all, one, found, isFirst), response);
  }
  const answers = await Promise.all(
    wanted.map(async ({ lookup, query }) =>
      lookup === "logs"
        ? answerLogs(found, reader, given.signal)
        : answerLookup(lookup, found, { query, source: given.source }),
    ),
  );
  const [first, ...others] = answers.filter(
    ({ answer }, index) => answers.findIndex((one) => one.answer === answer) === index,
  );
  return others.reduce(joined, first ?? { answer: "" });
}

/** A question for the person who did something. */
const asksPerson =
  /(?:^|[\s/,.;:])who\b(?: or what)?(?! (?:owns|controls|manages|can|may|uses|needs|runs|reads|mounts|calls|is|has|asks)\b)|\b(?:which|what) (?:person|user|people|engineer|developer|colleague|admin)\b|\bname of the (?:person|user|engineer|developer|colleague|admin)\b|\b(?:by|to) whom\b|\bwhose (?:change|commit|deploy|rollout)/i;
const changes = phrases("answer-asked.changes");
/** What is in an image, of which objects have the name only. */
const inImage = phrases("answer-asked.inImage");
/** An amount, or what will be. */
const asksAmount = phrases("answer-asked.asksAmount");

/**
 * Why what a question asks for cannot be said of the objects of a cluster, whatever was read.
 *
 * @param isLookup - True where its words name a field: "is it near its limit" is of its use, and not of what is set.
 */
export function explainUnmeasured(
  { question: { query }, view, findings }: Investigation,
  isLookup = false,
): string | undefined {
  if (asksPerson.test(query) && changes.test(query))
    return "which person did it cannot be said: that is in the audit log, which is not read; objects name only the tool that wrote them";
  const isOfImage = /\b(?:image|cve)\b/i.test(query) || toWords(query).some(isImage);
  if (isOfImage && inImage.test(query))
    return "what is in an image cannot be said: objects have its name, and its content is not read";
  const { act } = readQuestion(query);
  // What fails is said, whatever amount is named beside it.
  const isShown = reportsFailure(query) && findings.some((one) => one.current && one.verified);
  if (act === "why" || act === "report" || isShown) return undefined;
  const [lacking] = measuresIn(query).filter(({ isUsage }) => !isUsage || view.usage.length === 0);
  const isPolar = act === "yes-no" && toWords(query.toLowerCase()).some(isAuxiliary);
  return lacking === undefined || (isPolar && !(isLookup && lacking.isUsage))
    ? undefined
    : `${lacking.name} cannot be said: it is measured (${lacking.metric}), which was not read or is not there`;
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
  if (act === "report" && read?.output.to !== "sum") return undefined;
  const isHealth = polarIn(query) !== undefined && !reportsSame.has(read?.output.to ?? "");
  // "One pod works, the other gets 403. Same keys": a failure is reported, and nothing compared.
  const isTold = read?.output.to === "same" && reportsFailure(query);
  return isHealth || isTold ? undefined : read;
}

/** What "are all ... the same" and "has it more ... than" compute, beside a state that they may name. */
const reportsSame: ReadonlySet<string> = new Set(["same", "compare", "differences", "yaml"]);

/** Adds a lookup of a field that the question's words name, where a named object has that field. */
function withField(
  asked: RequestedLookups,
  { question, objects, view }: Investigation,
): RequestedLookups {
  const { query } = question;
  const found = freeFields({ named: objects, query }, view);
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
  if (
    isOther &&
    reportsFailure(query) &&
    findings.some(({ object }) => kindsAsked.some((kind) => kind === object.kind))
  )
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
  const { head, lines } = runLookupFor(found, lookup, query);
  const block = sanitizeMarkdown(
    [
      `**${escaped(head)}**`,
      lines
        .slice(0, maxBeside)
        .map((line) => `- ${line}`)
        .join("\n"),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  );
  const parts = isFirst ? [block, response.answer] : [response.answer, block];
  return {
    ...response,
    answer: parts.join("\n\n"),
    metadata: {
      ...response.metadata,
      lookup: { kind: lookup, text: head, lines: lines.slice(0, 20) },
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
