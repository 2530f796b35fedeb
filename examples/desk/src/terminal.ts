import { styleText } from "node:util";
import { type MeshEvent, printTree, type Response, type RunRecord } from "@constellation/core";

/** Where output goes: what a terminal shows in colour arrives in a pipe as plain text. */
export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Tells a person what a run does and what came of it. */
export interface Terminal {
  /** Shows an event as it happens, on stderr. */
  progress(event: MeshEvent): void;
  /** Shows the answer, or why there is none, and how it came about, on stdout. */
  result(response: Response, record: RunRecord): void;
}

type Style = Parameters<typeof styleText>[0];

export function createTerminal({ stdout, stderr }: Streams): Terminal {
  const progress = createProgress(paintFor(stderr));
  const paint = paintFor(stdout);
  const markdown = hasColour(stdout)
    ? (text: string) => renderMarkdown(text, paint)
    : (text: string) => text;

  return {
    progress(event) {
      const line = progress(event);
      if (line !== undefined) stderr.write(`${line}\n`);
    },
    result(response, record) {
      const parts = [
        response.answer === undefined ? failure(response, paint) : markdown(response.answer),
        sources(response, paint),
        missing(response, paint),
        `${paint("bold", "Hops")}\n\n${indent(printTree(record))}`,
      ];
      stdout.write(`\n${parts.filter((part) => part !== undefined).join("\n\n")}\n`);
    },
  };
}

type Paint = (style: Style, text: string) => string;

function hasColour(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && (process.env.NO_COLOR ?? "") === "" && stream.hasColors();
}

function paintFor(stream: NodeJS.WriteStream): Paint {
  if (!hasColour(stream)) return (_style, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}

/** Turns events into lines: when, who, what. */
function createProgress(paint: Paint): (event: MeshEvent) => string | undefined {
  let startedAt = 0;
  return (event) => {
    if (event.type === "run:start") {
      startedAt = event.at;
      return `${paint("bold", event.query)}\n`;
    }
    const what = whatHappened(event, paint);
    if (what === undefined || !("to" in event)) return undefined;
    const when = `${event.at - startedAt} ms`.padStart(8);
    return `${paint("dim", when)}  ${paint("cyan", event.to.padEnd(12))}  ${what}`;
  };
}

function whatHappened(event: MeshEvent, paint: Paint): string | undefined {
  switch (event.type) {
    case "hop:start":
      return event.reason === undefined
        ? "is asked"
        : `is asked: ${event.query} ${paint("dim", `(${event.reason})`)}`;
    case "hop:progress":
      return paint("dim", "message" in event.progress ? event.progress.message : "writes");
    case "hop:refused":
      return paint("red", `is not asked: ${event.error.message}`);
    case "hop:abandoned":
      return paint("yellow", `is not waited for any more: ${event.reason}`);
    case "hop:end": {
      const { outcome, delegates, confidence, error } = event;
      if (delegates !== undefined && delegates.length > 0) {
        return `${paint("blue", "→")} passes it on to ${delegates.join(" and ")}`;
      }
      if (error !== undefined) return `${paint("red", "✗")} ${error.code}: ${error.message}`;
      const sure = confidence === undefined ? "" : `, ${Math.round(confidence * 100)} % sure`;
      return `${paint("green", "✓")} ${outcome === "partial" ? "answers a part" : "answers"}${sure}`;
    }
    default:
      return undefined;
  }
}

function sources({ sources: all = [] }: Response, paint: Paint): string | undefined {
  if (all.length === 0) return undefined;
  const lines = all.map(({ name, relevance }) => {
    const share = relevance === undefined ? "" : relevance.toFixed(2);
    return `  ${paint("dim", share.padStart(4))}  ${name}`;
  });
  return [paint("bold", "Sources"), "", ...lines].join("\n");
}

function missing({ answer, metadata }: Response, paint: Paint): string | undefined {
  if (answer === undefined || metadata?.missing === undefined) return undefined;
  const lines = metadata.missing.map(
    ({ to, code, message }) => `  ${paint("cyan", to)}  ${message} ${paint("dim", code)}`,
  );
  return [paint("bold", "Missing"), "", ...lines].join("\n");
}

/** Why there is no answer, and what to do next, by each of those who were asked. */
function failure({ error, metadata }: Response, paint: Paint): string {
  if (error?.details?.reason === "cancelled") return paint("yellow", "Cancelled.");
  const heading = paint("red", `No answer: ${error?.message ?? "nobody said why."}`);
  const branches = (metadata?.branches ?? []).flatMap(({ name, response }) =>
    response.error === undefined ? [] : { name, ...response.error },
  );
  if (branches.length === 0) return [heading, error?.suggestion].filter(Boolean).join("\n\n");
  const advice = branches.map(
    ({ name, message, suggestion = "" }) => `${paint("bold", name)}: ${message} ${suggestion}`,
  );
  return [heading, ...advice].join("\n\n");
}

/** Markdown for a terminal: headings, bold, code; the rest as it is. */
function renderMarkdown(text: string, paint: Paint): string {
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (/^\s*(?:`{3,}|~{3,})/.test(line)) {
        isCode = !isCode;
        return paint("dim", line);
      }
      if (isCode) return paint("yellow", line);
      if (/^#{1,6} /.test(line)) return paint(["bold", "underline"], line.replace(/^#+ /, ""));
      return line
        .replaceAll(/\*\*(.+?)\*\*/g, (_, bold: string) => paint("bold", bold))
        .replaceAll(/`([^`]+)`/g, (_, code: string) => paint("yellow", code));
    })
    .join("\n");
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
