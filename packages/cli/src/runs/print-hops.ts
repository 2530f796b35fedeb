import {
  type ContentHop,
  type ContentModelCall,
  type ContentRecord,
  printUsage,
  sanitizeText,
} from "@constellation/authoring";
import type { AgainRecord } from "@constellation/core";
import type { CommandIO } from "../command-io.js";
import { formatTime } from "../terminal/format.js";
import { type Paint, paintFor } from "../terminal/paint.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Prints each hop: its reason, query, response and model calls. */
export function printHops({ hops }: ContentRecord, { stdout, env }: CommandIO): void {
  const paint = paintFor(stdout, env);
  stdout.write(`\n${hops.map((hop) => printHop(hop, paint)).join("\n\n")}\n`);
}

function printHop(hop: ContentHop, paint: Paint): string {
  const { id, to, query, reason, error, content, modelCalls = [], usage, remote, again } = hop;
  const { answer, progress = [], queries = [], thrown, errorDetails } = content ?? {};
  const head = `${id}. ${sanitizeLine(to, 64)}, ${hop.outcome ?? "running"}, ${formatTime(hop.durationMs)}`;
  const used = printUsage(usage);
  return [
    paint("bold", used === "" ? head : `${head}, ${used}`),
    field("why", reason, paint),
    field("again", again && describeRepeat(again), paint),
    field("ran in", remote && `${remote.mesh} on ${remote.host}`, paint),
    field("asked", query, paint),
    ...queries.map((delegate) => field(`asks ${delegate.to}`, delegate.query, paint)),
    field("answered", answer, paint),
    field("failed", error && `${error.code}: ${error.message}`, paint),
    // The details of an exception only repeat the exception.
    field("details", thrown === undefined ? errorDetails : undefined, paint),
    field("threw", thrown, paint),
    ...progress.map(({ atMs, message }) => field(formatTime(atMs), message, paint)),
    ...modelCalls.map((call) => printModelCall(call, paint)),
  ]
    .filter((part) => part !== undefined)
    .join("\n");
}

function describeRepeat({ kind, hopId }: AgainRecord): string {
  return kind === "retry"
    ? `hop ${hopId} failed in a way that may pass`
    : `hop ${hopId} was slow: asked beside it`;
}

function printModelCall(call: ContentModelCall, paint: Paint): string {
  const { model = "unnamed", attempt, durationMs, usage, error, content } = call;
  const tokens = usage && `${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
  const retries = usage?.retries;
  const again = retries && `sent again ${retries === 1 ? "once" : `${retries} times`}`;
  const nth = attempt && `attempt ${attempt}`;
  const parts = [sanitizeLine(model, 64), nth, durationMs && formatTime(durationMs), tokens, again];
  const failure = error && `${error.code}: ${sanitizeLine(error.message)}`;
  return [
    `  ${paint("dim", "model")} ${[...parts, failure].filter(Boolean).join(", ")}`,
    field("  again", content?.again, paint),
    field("  system", content?.system, paint),
    field("  prompt", content?.prompt, paint),
    field("  reply", content?.reply, paint),
    field("  problem", content?.problem, paint),
  ]
    .filter((part) => part !== undefined)
    .join("\n");
}

function field(name: string, text: string | undefined, paint: Paint): string | undefined {
  if (text === undefined || text === "") return undefined;
  const indent = " ".repeat(name.length - name.trimStart().length + 4);
  const lines = sanitizeText(text).trim().split("\n");
  const shown =
    lines.length === 1 ? ` ${lines[0]}` : `\n${lines.map((one) => indent + one).join("\n")}`;
  return `  ${paint("dim", sanitizeLine(name, 80).padStart(name.length))}${shown}`;
}
