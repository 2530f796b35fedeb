import type { Context, Response } from "@constellation/core";
import type { Investigation } from "../investigate.js";
import { summarizeWithModel } from "../model/summarize-with-model.js";
import type { Question } from "../question/question.js";
import { composeAnswer } from "./compose.js";
import { confidenceOf } from "./confidence.js";
import { type Fact, factsOf, healthyFact } from "./facts.js";
import { healthyLines } from "./healthy-lines.js";
import { gapsOf } from "./limits.js";
import { withRunbook } from "./runbook.js";
import { businessFacts, type Signal, signalFacts } from "./signal-facts.js";
import { sourcesOf } from "./sources.js";

/** What an answer is made from, beside what was found. */
export interface AnswerContext {
  readonly question: Question;
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly source: string;
  readonly given: Signal | undefined;
  /** Who is asked what to do about the likeliest cause. */
  readonly runbooks: string | undefined;
}

/** Below this an answer is partial. */
const partialBelow = 0.6;

/** Puts an answer together: text, sources, confidence and facts. */
export async function answerFrom(
  found: Investigation,
  { question, context, signal, source, given, runbooks }: AnswerContext,
): Promise<Response> {
  const { view, objects, findings, namespace, subject, target } = found;
  const gaps = gapsOf(view.problems);
  const limits = {
    problems: gaps,
    logs: found.logProblems,
    withoutEvents: found.withoutEvents,
    source,
  };
  const healthy = findings.length > 0 ? [] : healthyLines(objects, view);
  const answer = composeAnswer({
    subject,
    findings,
    notMeant: found.notMeant,
    aside: found.aside.length,
    healthy: [
      ...healthy,
      ...(objects.length === 0
        ? [
            `Read: ${
              found.kindsRead
                .filter((kind) => view.list(kind).length > 0)
                .map((kind) => `${view.list(kind).length} ${kind}`)
                .join(", ") || "nothing of the kinds asked about"
            }`,
          ]
        : []),
    ],
    limits,
  });
  const sources = sourcesOf(findings, objects, view);
  const confidence = confidenceOf({
    findings,
    gaps: gaps.length,
    guessed: target.kind === "objects" && target.guessed,
    thin: objects.length > 0 && objects.every(({ status }) => status === undefined),
  });
  const response: Response = {
    answer,
    sources: sources.length > 0 ? sources : [{ name: source, type: "cluster" }],
    confidence,
    ...((confidence < partialBelow || gaps.length > 0) && { partial: true }),
    metadata: {
      facts: allFacts(found, { context, given, namespace }),
      ...(gaps.length > 0 && { unread: gaps.map(({ subject: what, code }) => ({ what, code })) }),
    },
  };
  const worded =
    context.ai === undefined || findings.length === 0
      ? response
      : await summarizeWithModel(response, { question: question.query, findings, context, signal });
  return withRunbook(worded, findings[0], { to: runbooks, context, signal });
}

function allFacts(
  { findings, view, objects, kindsRead }: Investigation,
  {
    context,
    given,
    namespace,
  }: {
    readonly context: Context;
    readonly given: Signal | undefined;
    readonly namespace: string | undefined;
  },
): readonly Fact[] {
  const observed =
    findings.length > 0
      ? factsOf(findings, view)
      : [
          healthyFact(
            objects,
            view,
            kindsRead.filter((kind) => view.list(kind).length > 0),
          ),
        ];
  const [first, ...rest] = observed;
  const where = first?.namespace ?? namespace;
  const labels =
    typeof where === "string"
      ? view.get("Namespace", undefined, where)?.metadata.labels
      : undefined;
  const more = {
    ...businessFacts(given, context.metadata, labels),
    ...(given === undefined ? {} : { signal: signalFacts(given) }),
  };
  return first === undefined ? [] : [{ ...first, ...more }, ...rest];
}
