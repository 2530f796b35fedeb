import { modelFailureLine, printTree, printUsage, sanitizeText } from "@constellation/authoring";
import type { ErrorInfo, ResponseFields, RunRecord } from "@constellation/core";
import type { CommandIO, Output } from "../command-io.js";
import { foldHops } from "./fold-hops.js";
import { renderMarkdown } from "./markdown.js";
import { type Paint, paintFor } from "./paint.js";
import { sanitizeLine } from "./sanitize-line.js";

/** Options of printing a run. */
export interface ResultOptions {
  /** The tree of hops after the answer. */
  readonly tree: boolean;
  /**
   * Only the headlines of an answer of several librarians, or of one that is longer than the screen.
   *
   * @default false
   */
  readonly summary?: boolean | undefined;
  /**
   * Maximum number of hops in the tree. Failed ones and their parents are shown first.
   *
   * @default Infinity
   */
  readonly maxHops?: number | undefined;
  /**
   * What shows the author of a librarian what it threw.
   *
   * @default the advice of the error
   */
  readonly thrownAdvice?: string | undefined;
}

/** Prints an answer with its sources on stdout, a failure on stderr. */
export function printResult(
  response: ResponseFields,
  record: RunRecord,
  { stdout, stderr, env }: CommandIO,
  { tree, summary = false, maxHops = Number.POSITIVE_INFINITY, thrownAdvice }: ResultOptions,
): void {
  const paint = paintFor(stdout, env);
  const parts = [
    (summary ? shortAnswer(response, stdout, paint) : undefined) ?? answer(response, stdout, paint),
    sources(response, paint),
    confidence(response, paint),
    missing(response, paint),
    withoutModel(response, record, paint),
    tree ? undefined : used(record, paint),
    tree ? section("Hops", renderTree(record, maxHops), paint) : undefined,
  ].filter((part) => part !== undefined);

  if (response.answer === undefined) {
    const gap = parts.length > 0 && stderr.isTTY === true ? "\n" : "";
    stderr.write(`${failure(response, paintFor(stderr, env), thrownAdvice)}\n${gap}`);
  }
  if (parts.length > 0) stdout.write(`${parts.join("\n\n")}\n`);
}

function answer(
  { answer: text }: ResponseFields,
  output: Output,
  paint: Paint,
): string | undefined {
  if (text === undefined) return undefined;
  return output.isTTY === true
    ? renderMarkdown(text, paint, (output.columns || 80) - 1)
    : sanitizeText(text).trim();
}

/** The headlines of an answer; undefined where it is short, or has none. */
function shortAnswer(response: ResponseFields, output: Output, paint: Paint): string | undefined {
  const { answer: text = "", headline, metadata } = response;
  if (headline === undefined) return undefined;
  const lines = answer(response, output, paint)?.split("\n").length ?? 0;
  const isMerged = metadata?.branches !== undefined && text.startsWith(`${headline}\n`);
  if (!isMerged && lines <= (output.rows ?? usualRows)) return undefined;
  const shown = answer({ answer: headline }, output, paint);
  return `${shown}\n\n${paint("dim", `The whole answer has ${lines} lines: --full prints it.`)}`;
}

/** Lines of a terminal that does not report its size. */
const usualRows = 24;

function sources({ sources: all = [] }: ResponseFields, paint: Paint): string | undefined {
  if (all.length === 0) return undefined;
  const lines = all.map(({ name, url, relevance }, index) => {
    const number = `${index + 1}.`.padStart(`${all.length}.`.length);
    const share = relevance === undefined ? "" : ` ${paint("dim", `(${relevance.toFixed(2)})`)}`;
    const link =
      url === undefined || url === name ? "" : ` ${paint("underline", sanitizeLine(url))}`;
    return `${number} ${sanitizeLine(name)}${link}${share}`;
  });
  return section("Sources", lines, paint);
}

function confidence(response: ResponseFields, paint: Paint): string | undefined {
  const { answer: text, confidence: sure, partial, error } = response;
  if (text === undefined) return undefined;
  const heading = sure === undefined ? undefined : `${Math.round(sure * 100)} %`;
  const part = partial === true ? "partial answer" : undefined;
  const why = error === undefined ? undefined : `${error.code}: ${sanitizeLine(error.message)}`;
  const parts = [heading, part, why].filter((one) => one !== undefined);
  if (parts.length === 0) return undefined;
  return `${paint("bold", heading === undefined ? "Note" : "Confidence")}: ${parts.join(", ")}`;
}

function missing({ answer: text, metadata }: ResponseFields, paint: Paint): string | undefined {
  const branches = metadata?.missing ?? [];
  if (text === undefined || branches.length === 0) return undefined;
  const groups = new Map<string, string[]>();
  for (const { to, code, reason, message } of branches) {
    // Messages that differ only in the id are printed once, for several librarians.
    const sameMessage = branches.length > 1 ? message.replaceAll(to, "…") : message;
    const why = `${sanitizeLine(sameMessage)} ${paint("dim", `[${[code, reason].filter(Boolean).join(", ")}]`)}`;
    groups.set(why, [...(groups.get(why) ?? []), sanitizeLine(to, 64)]);
  }
  const lines = Array.from(groups, ([why, ids]) => `${paint("cyan", joinFirst(ids))}: ${why}`);
  return section("Missing", lines, paint);
}

/** Hops that answered although their last call of a model failed, each with the reason. */
function withoutModel(
  { answer: text }: ResponseFields,
  record: RunRecord,
  paint: Paint,
): string | undefined {
  const gaps = record.hops.flatMap(({ to, outcome, modelCalls }) => {
    const error = modelCalls?.at(-1)?.error;
    if (error === undefined || (outcome !== "answer" && outcome !== "partial")) return [];
    return `${sanitizeLine(to, 64)}: ${modelFailureLine(error)}`;
  });
  if (text === undefined || gaps.length === 0) return undefined;
  const rest = gaps.length - maxNamed;
  const lines = rest > 0 ? [...gaps.slice(0, maxNamed), `and ${rest} more`] : gaps;
  return section("Without the model", lines, paint);
}

function used({ usage }: RunRecord, paint: Paint): string | undefined {
  const printed = printUsage(usage);
  return printed === "" ? undefined : `${paint("bold", "Used")}: ${printed}`;
}

function joinFirst(ids: readonly string[]): string {
  const rest = ids.length - maxNamed;
  return rest > 0 ? `${ids.slice(0, maxNamed).join(", ")} and ${rest} more` : ids.join(", ");
}

/** Maximum number of librarians that are named in one line, and of hops without the model. */
const maxNamed = 5;

/** An unknown id may contain anything. */
function renderTree(record: RunRecord, maxHops: number): readonly string[] {
  const hops = record.hops.map((hop) => ({ ...hop, to: sanitizeLine(hop.to, 64) }));
  const shown = foldHops(hops, maxHops);
  const lines = sanitizeText(printTree({ ...record, hops: shown })).split("\n");
  const folded = hops.length - shown.length;
  if (folded === 0) return lines;
  const summary = lines.pop()?.replace(/, \d+ hops?(?=,|$)/, `, ${hops.length} hops`) ?? "";
  return [...lines, `and ${folded} more hops that answered: --tree shows all`, summary];
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return [paint("bold", title), "", ...lines.map((line) => `  ${line}`)].join("\n");
}

const waitingAdvice =
  "`constellation approvals` lists what waits, and how to approve or refuse it: the run then continues.";

/** Why there is no answer and what to do next, for each librarian that failed. */
function failure({ error, metadata }: ResponseFields, paint: Paint, thrownAdvice?: string): string {
  if (error?.details?.reason === "cancelled") return paint("yellow", "Cancelled.");
  const isWaiting = error?.details?.reason === "waiting";
  const code = error === undefined || isWaiting ? "" : paint("dim", ` [${error.code}]`);
  const mark = isWaiting ? paint("yellow", "Waiting:") : paint("red", "No answer:");
  const heading = `${mark} ${sanitizeLine(error?.message ?? "no reason was given.")}${code}`;
  const branches = (metadata?.branches ?? []).flatMap(({ name, response }) =>
    response.error === undefined ? [] : { name, ...response.error },
  );
  const toAdvice = ({ suggestion = "", details }: Pick<ErrorInfo, "suggestion" | "details">) => {
    if (details?.reason === "waiting") return waitingAdvice;
    return details?.reason === "threw" ? (thrownAdvice ?? suggestion) : sanitizeText(suggestion);
  };
  const advice =
    branches.length === 0
      ? [toAdvice(error ?? {})]
      : branches.map(({ name, message, ...rest }) =>
          `${paint("bold", sanitizeLine(name))}: ${sanitizeLine(message)} ${toAdvice(rest)}`.trim(),
        );
  const details = ["problem", "returned", "text"].map((key) => toDetail(error?.details?.[key]));
  return [heading, ...details, ...advice].filter((text) => text !== "").join("\n\n");
}

/** A detail of an error that is text for people: what is invalid, or a question of a remote agent. */
function toDetail(value: unknown): string {
  return typeof value === "string" ? sanitizeText(value.slice(0, 2_000)).trim() : "";
}
