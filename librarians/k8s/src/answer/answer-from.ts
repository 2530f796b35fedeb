import { firstLine, sanitizeMarkdown } from "@constellation/authoring";
import type { Context, Response } from "@constellation/core";
import { readQuestion } from "@constellation/nlu";
import { printMoment } from "../diagnosis/age.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import { toQualifiedName } from "../diagnosis/object-id.js";
import type { Investigation } from "../investigation.js";
import { summarizeWithModel } from "../model/summarize-with-model.js";
import { asksRemedy } from "../question/lookup.js";
import { readMoment } from "../question/period.js";
import type { Question } from "../question/question.js";
import { toWords } from "../question/words.js";
import { composeAnswer } from "./compose.js";
import { estimateConfidence } from "./confidence.js";
import { type Fact, healthyFact, toFacts } from "./facts.js";
import type { Line } from "./forms.js";
import { healthyLines, recentLines, restartLines } from "./healthy-lines.js";
import { listUnrecorded, selectGaps } from "./limits.js";
import { withRunbook } from "./runbook.js";
import { setAsideLines, tooEarly } from "./set-aside-lines.js";
import { businessFacts, type Signal, signalFacts } from "./signal-facts.js";
import { toSources } from "./sources.js";
import { explainUncertainty, unmeasured } from "./unsure.js";
import { decideVerdict } from "./verdict.js";

/** What an answer is composed from, besides the findings. */
export interface AnswerContext {
  readonly question: Question;
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly source: string;
  readonly given: Signal | undefined;
  /** Librarian that is asked what to do about the likeliest cause. */
  readonly runbooks: string | undefined;
}

/** Confidence below which an answer is partial. */
const partialBelow = 0.6;

/** Puts an answer together: text, sources, confidence and facts. */
export async function answerFrom(
  found: Investigation,
  { question, context, signal, source, given, runbooks }: AnswerContext,
): Promise<Response> {
  const { view, objects, namespace, subject, target } = found;
  const moment = readMoment(question.query, view.now);
  const unreached = moment === undefined ? undefined : explainUnreached(found, moment.to);
  // What began later does not explain what was before.
  const findings =
    unreached === undefined ? found.findings.slice(readPlace(question.query, found)) : [];
  const gaps = selectGaps(view.problems);
  const unrecorded = listUnrecorded(view.problems);
  const early = findings.length > 0 ? undefined : tooEarly(found);
  const unsure =
    findings.length > 0
      ? undefined
      : (unreached ?? early ?? explainUncertainty(found) ?? unmeasured(found));
  const verdict = decideVerdict(found, unsure === undefined);
  const text = composeAnswer({
    subject,
    isWide: target.kind === "all" || objects.every(({ kind }) => kind === "Namespace"),
    verdict,
    findings,
    view,
    unsure,
    note: noteOtherNamespace(found),
    notMeant: found.notMeant,
    asksRemedy:
      asksRemedy(question.query) ||
      readQuestion(question.query).clauses.some(({ act }) => act === "how-to"),
    aside: found.aside,
    // Uncertainty comes first.
    setAside: setAsideLines(
      early === undefined ? found.setAside : { ...found.setAside, early: [] },
      view,
    ),
    healthy: findings.length > 0 ? [] : selectHealthyLines(found),
    limits: {
      problems: gaps,
      unrecorded: findings.length > 0 ? [] : unrecorded,
      logs: found.logProblems,
      withoutEvents: found.withoutEvents,
      eventsProblem: view.problems.get("Event"),
      source,
    },
  });
  const sources = toSources(
    findings,
    [...objects, ...(verdict?.objects ?? []), ...selectExamined(found)],
    view,
  );
  const confidence = estimateConfidence({
    query: question.query,
    findings,
    gaps: gaps.length,
    guessed: (target.kind === "objects" && target.guessed) || found.askedNamespace !== undefined,
    unsure: unsure !== undefined,
  });
  const answer = sanitizeMarkdown(text);
  const response: Response = {
    answer,
    headline: firstLine(answer),
    sources: sources.length > 0 ? sources : [{ name: source, type: "cluster" }],
    confidence,
    ...((unsure !== undefined || confidence < partialBelow || gaps.length > 0) && {
      partial: true,
    }),
    metadata: {
      facts:
        unsure === undefined ? allFacts({ ...found, findings }, { context, given, namespace }) : [],
      ...(found.aside.length > 0 && {
        aside: found.aside.slice(0, 10).map((one) => ({
          signal_type: one.signal,
          target_resource: toQualifiedName(one.object),
        })),
      }),
      ...(gaps.length > 0 && { unread: gaps.map(({ subject: what, code }) => ({ what, code })) }),
    },
  };
  const worded =
    context.ai === undefined || findings.length === 0
      ? response
      : await summarizeWithModel(response, { question: question.query, findings, context, signal });
  return withRunbook(worded, findings[0], { to: runbooks, context, signal });
}

/** Words of a clause that asks for another of several findings, and which it is. */
const places: Readonly<Record<string, number>> = {
  other: 1,
  others: 1,
  second: 1,
  next: 1,
  third: 2,
};
const beside: ReadonlySet<string> = new Set(
  "and the one ones what about is are with wrong show me".split(" "),
);

/** Place of the finding that a follow-up means: "and the other one" is the second. 0 for any other question. */
function readPlace(query: string, { findings }: Investigation): number {
  const words = toWords((readQuestion(query).clauses.at(-1)?.body ?? "").toLowerCase());
  const [place] = words.flatMap((word) => places[word] ?? []);
  const isOnlyThat = words.every((word) => word in places || beside.has(word));
  return place !== undefined && isOnlyThat && place < findings.length ? place : 0;
}

/** Explains that nothing that was read is as old as the moment that a question asks about. */
function explainUnreached(
  { findings, scope, view }: Investigation,
  until: number,
): string | undefined {
  const shown = findings.flatMap(withAllSymptoms).flatMap(({ evidence }) => evidence);
  const seen = shown.flatMap(({ at }) => at ?? []);
  const events = scope.flatMap((object) =>
    view.events(object).flatMap(({ firstSeen, lastSeen }) => firstSeen ?? lastSeen ?? []),
  );
  // A field without a time may be from before.
  if (seen.length < shown.length || [...seen, ...events].some((at) => at <= until))
    return undefined;
  return `what was before ${printMoment(until, view.now)} UTC is not recorded; events expire, by default after an hour`;
}

/** Maximum number of sources that were examined and show no failure. */
const maxLookedAt = 10;

/** Further sources of an answer without findings: past and early findings, and objects of the requested kinds. */
function selectExamined({ findings, objects, scope, kindsAsked, setAside }: Investigation) {
  if (findings.length > 0) return [];
  const beside = [...setAside.early, ...setAside.over].map(({ object }) => object);
  const asked =
    objects.length > 0 ? [] : scope.filter(({ kind }) => kindsAsked.some((one) => one === kind));
  return [...beside, ...asked].filter((one) => !isTrace(one)).slice(0, maxLookedAt);
}

/** First line of an answer about an object that was found in another namespace than the named one. */
function noteOtherNamespace({
  askedNamespace,
  namespace,
  objects,
}: Investigation): string | undefined {
  if (askedNamespace === undefined) return undefined;
  const [first] = objects;
  return `${first?.kind ?? "It"} ${first?.metadata.name ?? ""} was not found in namespace ${askedNamespace}; it is in ${namespace ?? "another one"}.`;
}

/** Lines about objects of the question that show no failure. */
function selectHealthyLines({ objects, scope, view, kindsRead }: Investigation): readonly Line[] {
  if (objects.length > 0)
    return [
      ...healthyLines(objects, view),
      ...restartLines(scope, view),
      ...recentLines(scope, view),
    ];
  const read = kindsRead
    .filter((kind) => view.list(kind).length > 0)
    .map((kind) => `${view.list(kind).length} ${kind}`);
  return [{ text: `Read: ${read.join(", ") || "nothing of the kinds asked about"}` }];
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
      ? toFacts(findings, view)
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
