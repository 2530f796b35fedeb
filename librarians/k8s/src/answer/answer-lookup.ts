import { sanitizeMarkdown } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import { toObjectId } from "../diagnosis/object-id.js";
import type { Investigation } from "../investigation.js";
import type { Lookup } from "../question/lookup.js";
import { withoutName } from "../question/namespace.js";
import { parseQuestion, type Question } from "../question/question.js";
import { limitLines, selectGaps } from "./limits.js";
import { runLookup } from "./lookup-lines.js";
import type { LookedUp } from "./lookup-scope.js";
import { escaped } from "./markdown.js";
import { unsortedBy } from "./unsorted.js";

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
  const { view, findings, objects, logProblems } = found;
  const gaps = selectGaps(view.problems);
  const {
    head,
    lines,
    objects: shown,
    by = [],
    isUnread = false,
  } = runLookupFor(found, lookup, query);
  const wrong = [...new Set(findings.filter(({ current, verified }) => current && verified))];
  const more =
    wrong.length === 0
      ? []
      : [
          `Not asked, and wrong now: ${wrong
            .slice(0, 3)
            .map((one) => `${one.signal} on ${toObjectId(one.object)}`)
            .join(", ")}${wrong.length > 3 ? ` and ${wrong.length - 3} more` : ""}.`,
        ];
  const unsorted =
    lookup === "list" || lookup === "count"
      ? unsortedBy({ ...found, question: narrowQuestion(found, query) }, by)
      : [];
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
  const names = [...new Set([...shown, ...objects].map(toObjectId))].slice(0, maxSources);
  return {
    answer: sanitizeMarkdown(
      [`**${escaped(head)}**`, lines.map((line) => `- ${line}`).join("\n"), tail.join("\n")]
        .filter((part) => part !== "")
        .join("\n\n"),
    ),
    // Of the first answers that look something up, 21 of 27 were right (`eval/fit-confidence.ts`).
    // A list that ignores words of the question may not answer it.
    confidence: isUnread ? 0.3 : unsorted.length > 0 ? 0.4 : gaps.length === 0 ? 0.8 : 0.6,
    ...((isUnread || gaps.length > 0 || unsorted.length > 0) && { partial: true }),
    sources:
      names.length === 0
        ? [{ name: source, type: "cluster" }]
        : names.map((name) => ({ name, type: "object" })),
    metadata: {
      facts: [],
      lookup: { kind: lookup, text: head, lines: lines.slice(0, 20) },
      ...(gaps.length > 0 && { unread: gaps.map(({ subject: what, code }) => ({ what, code })) }),
    },
  };
}
