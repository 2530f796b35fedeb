import type { Response } from "@constellation/core";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import type { Investigation } from "../investigation.js";
import type { Asked, AskedFor } from "../question/asked.js";
import { fieldsIn } from "../question/field-words.js";
import { isImage } from "../question/images.js";
import { wordsOf } from "../question/words.js";
import { type AnswerContext, answerFrom } from "./answer-from.js";
import { answerLogs } from "./answer-logs.js";
import { answerLookup, lookUpIn } from "./answer-lookup.js";
import { freeFields } from "./lookup-lines.js";
import { escaped } from "./markdown.js";

/** Maximum number of lines of what is looked up beside a diagnosis. */
const maxBeside = 4;

/** Answers what a question asks for: what it looks up, how something is and why, or both. */
export async function answerAsked(
  found: Investigation,
  asked: AskedFor,
  { reader, ...given }: AnswerContext & { readonly reader: ClusterReader },
): Promise<Response> {
  const { lookups, isDiagnosis } = asked.mayBeField ? withField(asked, found) : asked;
  const wanted = lookups.filter((one) => canLookUp(one, found));
  // What restarted is worth saying why.
  const isMore =
    isDiagnosis || wanted.some(({ lookup }) => lookup === "restarts" && found.findings.length > 0);
  if (wanted.length === 0 || isMore) {
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
  const [first, ...others] = answers;
  return others.reduce(joined, first ?? {});
}

/** With a field that the question's words name, where what it names has one of that name. */
function withField(asked: AskedFor, { question, objects, view }: Investigation): AskedFor {
  const { query } = question;
  const found = freeFields({ named: objects, query }, view);
  return found === undefined
    ? asked
    : { ...asked, lookups: [{ lookup: "fields", query }], isDiagnosis: false };
}

/** False for what names nothing that has it: then the question is about how that is. */
function canLookUp({ lookup, query }: Asked, found: Investigation): boolean {
  const { target, namespace, kindsAsked } = found;
  if (target.kind === "objects") {
    // "What runs there?" is a list where it is a node.
    const isPlace = target.objects.some(({ kind }) => kind === "Node");
    return lookup !== "list" || kindsAsked.length > 0 || isPlace || wordsOf(query).some(isImage);
  }
  if (lookup === "logs") return false;
  // A property is one of something named, or of all of a kind or a namespace.
  const isWide = namespace !== undefined || kindsAsked.length > 0;
  return (lookup !== "fields" && lookup !== "needs") || (isWide && isOfMany(query));
}

/** True for properties that are asked of many things at once. "Which nodes" asks for nodes, not for a property. */
function isOfMany(query: string): boolean {
  return fieldsIn(query).every((field) => field !== "node" && field !== "owner");
}

/** A diagnosis with what is looked up beside it. */
function beside(
  response: Response,
  { lookup, query }: Asked,
  found: Investigation,
  isFirst: boolean,
): Response {
  if (lookup === "logs" || response.answer === undefined) return response;
  const { head, lines } = lookUpIn(found, lookup, query);
  const block = [
    `**${escaped(head)}**`,
    lines
      .slice(0, maxBeside)
      .map((line) => `- ${line}`)
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
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

/** Two answers as one: as sure as the one that is less sure. */
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
