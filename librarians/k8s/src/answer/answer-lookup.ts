import { sanitizeMarkdown } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import { readQuestion } from "@constellation/nlu";
import { printMoment } from "../diagnosis/age.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { concernsAny } from "../diagnosis/rank.js";
import type { Investigation } from "../investigation.js";
import type { Query } from "../query/query.js";
import { runQuery } from "../query/run-query.js";
import type { Lookup } from "../question/lookup.js";
import { withoutName } from "../question/namespace.js";
import { parseQuestion, type Question } from "../question/question.js";
import { secretIn } from "../question/use-words.js";
import { toWords } from "../question/words.js";
import { changesSince } from "./changes.js";
import { estimateLookup } from "./confidence.js";
import { toFacts } from "./facts.js";
import { healthyLines } from "./healthy-lines.js";
import { limitLines, selectGaps } from "./limits.js";
import { runLookup } from "./lookup-lines.js";
import { cut, type LookedUp } from "./lookup-scope.js";
import { code, escaped, fenced } from "./markdown.js";
import { toSources } from "./sources.js";
import { unsortedBy } from "./unsorted.js";
import { listSecretNames } from "./use-lines.js";

/** Maximum number of sources. */
const maxSources = 40;

/** Answers the lookup of a question from the reading. */
export function runLookupFor(
  found: Investigation,
  lookup: Exclude<Lookup, "logs">,
  query: string,
): LookedUp {
  const { view, findings, objects, scope, subject, kindsAsked, periodMs } = found;
  const { names } = narrowQuestion(found, query);
  return runLookup(
    lookup,
    {
      subject,
      objects: scope,
      named: objects,
      kinds: kindsAsked,
      names,
      findings: [...findings, ...found.aside],
      periodMs,
      query,
      namespace: found.namespace,
    },
    view,
  );
}

/** The question, or its clause that asks for a lookup. */
function narrowQuestion({ question, namespace }: Investigation, query: string): Question {
  return query === question.query ? question : withoutName(parseQuestion(query), namespace);
}

/** Writes the answer of a lookup: what was read, and a short note on failures. */
export function answerLookup(
  lookup: Exclude<Lookup, "logs">,
  found: Investigation,
  { query, source }: { readonly query: string; readonly source: string },
): Response {
  const result = runLookupFor(found, lookup, query);
  const unsorted =
    lookup === "list" || lookup === "count"
      ? unsortedBy({ ...found, question: narrowQuestion(found, query) }, result.by ?? [])
      : [];
  return writeLookup(lookup, found, { result, unsorted, source });
}

/** Answers a question that is computed from fields. */
export function answerQuery(found: Investigation, query: Query, source: string): Response {
  const { objects, scope, subject, view } = found;
  const result = runQuery(query, {
    subject,
    named: objects,
    objects: scope,
    view,
    text: found.question.query,
  });
  return writeLookup(query.output.to, found, { result, unsorted: [], source });
}

/** Says what cannot be said, and what is known of it: for a question about a person, what was changed. */
export function answerUnknown(found: Investigation, why: string, source: string): Response {
  const { objects, view, target } = found;
  const subject = target.kind === "unknown" ? "the cluster" : found.subject;
  const changes = /person/.test(why) ? changesSince(view.now - monthMs, found.scope, view) : [];
  return writeLookup("unknown", found, {
    result: {
      head: `${subject}: ${why}.`,
      lines: [
        ...changes.slice(0, 5).map(({ at, text }) => `${printMoment(at, view.now)} UTC: ${text}`),
        ...(changes.length > 0 ? [] : healthyLines(objects, view)),
      ],
      objects,
    },
    unsorted: [],
    source,
  });
}

/** What a question asks of a Secret, where it names nothing that was read: which there are, or what is in one. */
export function answerSecret(found: Investigation, source: string): Response | undefined {
  const { question, target, view, namespace } = found;
  const { act } = readQuestion(question.query);
  if (target.kind === "objects" || act === "why" || act === "report") return undefined;
  const known = listSecretNames(view, namespace);
  const isList = toWords(question.query.toLowerCase()).includes("secrets");
  const name =
    question.names.find((one) => known.has(one)) ?? (isList ? undefined : secretIn(question.query));
  if (name === undefined && !isList) return undefined;
  const users =
    name === undefined ? undefined : runLookupFor(found, "users", `what uses secret ${name}`);
  const head =
    name === undefined
      ? `${namespace === undefined ? "the cluster" : `namespace ${namespace}`}: which Secrets there are cannot be said, as Secrets are never read; what was read names ${known.size}.`
      : `Secret ${name}: what is in it, and whether it still works, cannot be said, as Secrets are never read.`;
  return writeLookup("unknown", found, {
    result: {
      head,
      lines: users?.lines ?? cut([...known].sort().map(code)),
      objects: users?.objects ?? [],
      by: [],
    },
    unsorted: [],
    source,
  });
}

const monthMs = 30 * 86_400_000;

/** A first line: yes or no stands out, as in a diagnosis. */
function printHead(head: string): string {
  const [yes = "", ...rest] = head.replace(/(?<![.!?:])$/, ".").split(": ");
  return (yes === "Yes" || yes === "No") && rest.length > 0
    ? `**${yes}**: ${escaped(rest.join(": "))}`
    : `**${escaped([yes, ...rest].join(": "))}**`;
}

interface Written {
  readonly result: LookedUp;
  /** Words that a list was not narrowed by. */
  readonly unsorted: readonly string[];
  readonly source: string;
}

function writeLookup(
  lookup: string,
  found: Investigation,
  { result, unsorted, source }: Written,
): Response {
  const { view, findings, objects, logProblems } = found;
  const gaps = selectGaps(view.problems);
  const { head, lines, objects: shown, isUnread = false, block, by } = result;
  const wrong = [...new Set(findings.filter(({ current, verified }) => current && verified))];
  // Behind a list nothing else is said.
  const more =
    wrong.length === 0 || by !== undefined
      ? []
      : [
          `Not asked, and wrong now: ${wrong
            .slice(0, 3)
            .map((one) => `${one.signal} on ${toObjectId(one.object)}`)
            .join(", ")}${wrong.length > 3 ? ` and ${wrong.length - 3} more` : ""}.`,
        ];
  const tail = [
    ...(unsorted.length === 0
      ? []
      : [
          `Not sorted out by ${unsorted.map((word) => `"${word}"`).join(", ")}: the list holds all of them.`,
        ]),
    ...more,
    ...limitLines({
      problems: gaps,
      logs: logProblems,
      unrecorded: [],
      withoutEvents: false,
      source,
    }),
  ];
  // What is wrong with what a list was narrowed to is in the facts, and not in the answer.
  const isNarrowed = by !== undefined && by.length > 0;
  const listedIds = new Set(shown.map(toObjectId));
  const listed = isNarrowed ? wrong.filter((one) => concernsAny(one, listedIds)) : [];
  const names = [...new Set([...shown, ...objects].map(toObjectId))].slice(0, maxSources);
  // A list that ignores words of the question may not answer it.
  const isOther = isUnread || unsorted.length > 0;
  return {
    answer: sanitizeMarkdown(
      [
        printHead(head),
        block === undefined ? "" : fenced(block),
        lines.map((line) => `- ${line}`).join("\n"),
        tail.join("\n"),
      ]
        .filter((part) => part !== "")
        .join("\n\n"),
    ),
    confidence: estimateLookup(found.question.query, gaps.length > 0, isOther),
    ...((isOther || gaps.length > 0) && { partial: true }),
    sources:
      names.length === 0
        ? [{ name: source, type: "cluster" }]
        : listed.length > 0
          ? toSources(listed, shown, view)
          : names.map((name) => ({ name, type: "object" })),
    metadata: {
      facts: toFacts(listed, view),
      lookup: { kind: lookup, text: head, lines: lines.slice(0, 20) },
      ...(gaps.length > 0 && { unread: gaps.map(({ subject: what, code }) => ({ what, code })) }),
    },
  };
}
