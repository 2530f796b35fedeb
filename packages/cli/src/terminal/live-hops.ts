import { modelLine } from "@constellation/authoring";
import type { MeshEvent } from "@constellation/core";
import type { Output } from "../command-io.js";
import { formatTime } from "./format.js";
import type { Paint } from "./paint.js";
import { sanitizeLine } from "./sanitize-line.js";
import { cutToWidth, lastCells } from "./width.js";

/** Live lines at the end of a terminal: the running hops. */
export interface LiveHops {
  show(event: MeshEvent): void;
  /** Erases the lines and stops drawing. */
  close(): void;
}

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const frameMs = 100;
const maxLines = 12;
/** Maximum number of characters of streamed text that are kept. */
const maxTextLength = 400;

interface Hop {
  readonly to: string;
  readonly by: string | undefined;
  readonly depth: number;
  readonly startedAt: number;
  /** Last progress message. */
  message: string;
  /** End of the text it has streamed. */
  text: string;
  /** Outcome and time. */
  end?: { readonly mark: string; readonly text: string; readonly at: number } | undefined;
  /** Its librarian has delegated; what it does now, it does to merge the answers. */
  hasDelegated?: true;
}

/** Shows which librarians are running, their caller, duration and progress. */
export function openLiveHops(output: Output, paint: Paint): LiveHops {
  const hops = new Map<number, Hop>();
  let drawn = 0;
  let frame = 0;

  const draw = () => {
    const lines = renderLines(
      [...hops.values()],
      frames[frame++ % frames.length] ?? "",
      output,
      paint,
    );
    output.write(`${erase(drawn)}${lines.map((line) => `${line}\n`).join("")}`);
    drawn = lines.length;
  };
  const timer = setInterval(draw, frameMs);

  return {
    show(event) {
      update(hops, event, paint);
    },
    close() {
      clearInterval(timer);
      if (drawn > 0) output.write(erase(drawn));
      drawn = 0;
    },
  };
}

/** Moves up by a number of lines and clears everything below, including the `^C` that the terminal printed. */
function erase(lines: number): string {
  return lines === 0 ? "" : `\r\u001b[${lines}A\u001b[0J`;
}

function update(hops: Map<number, Hop>, event: MeshEvent, paint: Paint): void {
  if (event.type === "hop:start") {
    const by = event.parentId === undefined ? undefined : hops.get(event.parentId)?.to;
    const { hopId, to, depth, at } = event;
    hops.set(hopId, { to: sanitizeLine(to, 64), by, depth, startedAt: at, message: "", text: "" });
    return;
  }
  const hop = "hopId" in event ? hops.get(event.hopId) : undefined;
  if (hop === undefined) return;
  if (hop.hasDelegated && (event.type === "hop:progress" || event.type === "model:start")) {
    hop.end = undefined;
  }
  if (event.type === "hop:progress") {
    const { progress } = event;
    if ("message" in progress) hop.message = sanitizeLine(progress.message, 200);
    else {
      const before = progress.replaces === true ? "" : hop.text;
      hop.text = (before + progress.text).slice(-maxTextLength);
      hop.message = sanitizeLine(hop.text, maxTextLength);
    }
  } else if (event.type === "model:start" || event.type === "model:end") {
    hop.message = modelLine(event) ?? hop.message;
    hop.text = "";
  } else if (event.type === "hop:end") {
    const { error, outcome, delegates = [], at } = event;
    hop.message = "";
    hop.text = "";
    if (outcome === "waiting") {
      hop.end = { mark: paint("yellow", "◷"), text: "waiting", at };
    } else if (error !== undefined) hop.end = { mark: paint("red", "✗"), text: error.code, at };
    else if (delegates.length > 0) {
      hop.hasDelegated = true;
      hop.end = {
        mark: paint("blue", "→"),
        text: `delegates to ${sanitizeLine(delegates.join(", "), 200)}`,
        at,
      };
    } else hop.end = { mark: paint("green", "✓"), text: event.outcome, at };
  } else if (event.type === "fanout:end") {
    const { strategy, used, at } = event;
    hop.end = { mark: paint("green", "✓"), text: `${strategy} of ${used.length}`, at };
  }
}

/** Running hops, and as many others as fit, in the order they began. */
function renderLines(
  hops: readonly Hop[],
  spinner: string,
  { columns, rows }: Output,
  paint: Paint,
): readonly string[] {
  const cells = (columns || 80) - 1; // some terminals report 0
  const room = Math.max(1, Math.min(maxLines, (rows || 24) - 2));
  const running = hops.filter(({ end }) => end === undefined);
  const chosen = new Set([...running, ...hops.toReversed()].slice(0, room));
  const left = hops.length - chosen.size;
  const names = [...chosen].map(({ to, depth }) => to.length + 2 * depth);
  const width = Math.max(0, Math.min(cells - besideName, Math.max(0, ...names)));
  const lines = hops
    .filter((hop) => chosen.has(hop))
    .map(({ to, by, depth, startedAt, message, text, end }) => {
      const name = cutToWidth(`${"  ".repeat(depth)}${to}`, width).padEnd(width);
      const time = formatTime((end?.at ?? Date.now()) - startedAt).padStart(8);
      const asked = by === undefined ? "" : `asked by ${by}`;
      const room = Math.max(0, cells - width - besideName);
      const isText = end === undefined && message !== "" && text !== "";
      const detail = [end?.text ?? message, asked].filter((part) => part !== "").join(" · ");
      // Of streamed text the end is shown.
      const shown = isText ? lastCells(message, room) : cutToWidth(detail, room);
      return `${end?.mark ?? paint("cyan", spinner)} ${paint("cyan", name)} ${time}  ${paint("dim", shown)}`;
    });
  return left === 0 ? lines : [...lines, paint("dim", `  and ${left} more`)];
}

/** Cells for the mark, the time and the gaps. */
const besideName = 13;
