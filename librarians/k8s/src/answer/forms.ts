import { sanitizeMarkdown } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { printMoment } from "../diagnosis/age.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { concernsAny } from "../diagnosis/rank.js";
import { describeSignal } from "../diagnosis/signal-type.js";
import type { Investigation } from "../investigation.js";
import { estimateLookup } from "./confidence.js";
import { toFacts } from "./facts.js";
import { limitLines, selectGaps } from "./limits.js";
import { code, escaped, fenced } from "./markdown.js";
import { toSources } from "./sources.js";

/** A line of an answer, of plain text. */
export interface Line {
  /** When it happened, in epoch milliseconds. */
  readonly at?: number | undefined;
  /** What it is about: an object, or a name. */
  readonly of?: KubernetesObject | string | undefined;
  readonly text?: string;
}

/** The answer of a question that asks for anything but a diagnosis: a sentence, a list below it, and what both rest on. */
export interface LookedUp {
  readonly head: string;
  readonly lines: readonly Line[];
  readonly objects: readonly KubernetesObject[];
  /** Words of the question that a list was narrowed by, or nothing. Only lists, counts and what is computed of them have it. */
  readonly by?: readonly string[];
  /** Words of the question for fields that a list shows. */
  readonly shown?: readonly string[];
  /** Text that is shown as it is, under the sentence. */
  readonly block?: string;
  /** True where nothing of it was read: then nothing is known of it. */
  readonly isUnread?: boolean;
}

/** Maximum number of lines of a list that are shown; the rest is counted. */
const maxLines = 12;
/** Maximum number of sources, and of lines in `metadata.lookup`. */
const maxSources = 40;
const maxKept = 20;

/** Lookups of what one thing is like, beside which it is said that something is wrong with it. */
const withTroubles: ReadonlySet<string> = new Set(["fields", "values", "changes"]);

/** What was asked for and cannot be told, with the reason. */
export function cannotTell(
  what: string,
  why: string,
  isUnread = true,
): LookedUp & { readonly isUnread: boolean } {
  return { head: `${what} cannot be told: ${why}`, lines: [], objects: [], isUnread };
}

/** One line, as Markdown. */
export function printLine({ at, of, text = "" }: Line, now: number): string {
  const name = of === undefined ? "" : code(typeof of === "string" ? of : toObjectId(of));
  const moment = at === undefined ? "" : `${printMoment(at, now)} UTC`;
  return [moment, [name, escaped(text)].filter((part) => part !== "").join(": ")]
    .filter((part) => part !== "")
    .join(": ");
}

/** A sentence in bold letters; where it begins with yes or no, that alone. */
function printHead(head: string): string {
  const [yes = "", ...rest] = head.replace(/(?<![.!?:])$/, ".").split(": ");
  return (yes === "Yes" || yes === "No") && rest.length > 0
    ? `**${yes}**: ${escaped(rest.join(": "))}`
    : `**${escaped([yes, ...rest].join(": "))}**`;
}

/** The sentence and the list of an answer, as Markdown. */
export function printLookedUp(
  { head, lines, block }: LookedUp,
  now: number,
  most: number = maxLines,
): string {
  const left = lines.length - most;
  const list = lines.slice(0, most).map((line) => `- ${printLine(line, now)}`);
  return [
    printHead(head),
    block === undefined ? "" : fenced(block),
    [...list, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/**
 * Writes the response of what was looked up: the sentence, the list, and what both lack.
 *
 * @param kind - What was looked up, for `metadata.lookup`.
 */
export function writeLookedUp(
  kind: string,
  result: LookedUp,
  { view, findings, objects, question }: Investigation,
  source: string,
): Response {
  const gaps = selectGaps(view.problems);
  const { objects: shown, by, isUnread = false } = result;
  const wrong = findings.filter(({ current, verified }) => current && verified);
  // What is wrong with what a list was narrowed to is in the facts, and not in the answer.
  const listedIds = new Set(shown.map(toObjectId));
  const listed =
    by !== undefined && by.length > 0 ? wrong.filter((one) => concernsAny(one, listedIds)) : [];
  const [first, ...others] = withTroubles.has(kind) && objects.length > 0 && !isUnread ? wrong : [];
  const tail = [
    ...(first === undefined
      ? []
      : [
          `Not asked, and wrong now: ${escaped(toObjectId(first.object))} ${describeSignal(first.signal)} (${first.signal})${others.length > 0 ? `, and ${others.length} more` : ""}.`,
        ]),
    ...limitLines({ problems: gaps, logs: [], unrecorded: [], withoutEvents: false, source }),
  ];
  const names = [...new Set([...shown, ...objects].map(toObjectId))].slice(0, maxSources);
  return {
    answer: sanitizeMarkdown(
      [printLookedUp(result, view.now), tail.join("\n")].filter((part) => part !== "").join("\n\n"),
    ),
    confidence: estimateLookup(question.query, gaps.length > 0, isUnread),
    ...((isUnread || gaps.length > 0) && { partial: true }),
    sources:
      names.length === 0
        ? [{ name: source, type: "cluster" }]
        : listed.length > 0
          ? toSources(listed, shown, view)
          : names.map((name) => ({ name, type: "object" })),
    metadata: {
      facts: toFacts(listed, view),
      ...lookupMetadata(kind, result, view.now),
      ...(gaps.length > 0 && { unread: gaps.map(({ subject: what, code }) => ({ what, code })) }),
    },
  };
}

/** What was looked up, for programs. */
export function lookupMetadata(kind: string, { head, lines }: LookedUp, now: number) {
  const kept = lines.slice(0, maxKept).map((line) => printLine(line, now));
  return { lookup: { kind, text: head, lines: kept } };
}
