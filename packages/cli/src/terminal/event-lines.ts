import { createTextLines, modelLine, type TextLines } from "@constellation/authoring";
import type { MeshEvent } from "@constellation/core";
import type { Paint } from "./paint.js";
import { sanitizeLine } from "./sanitize-line.js";

/** Turns events into lines: time, librarian, event. */
export function createEventLines(paint: Paint): (event: MeshEvent) => string | undefined {
  let startedAt = 0;
  const texts = createTextLines();
  return (event) => {
    if (event.type === "run:start") startedAt = event.at;
    const what = whatHappened(event, paint, texts);
    if (what === undefined || !("to" in event)) return undefined;
    const when = `${event.at - startedAt} ms`.padStart(8);
    return `${paint("dim", when)}  ${paint("cyan", sanitizeLine(event.to, 64).padEnd(12))}  ${what}`;
  };
}

function whatHappened(event: MeshEvent, paint: Paint, texts: TextLines): string | undefined {
  switch (event.type) {
    case "hop:start":
      if (event.again !== undefined) return "started again";
      return event.reason === undefined
        ? "started"
        : `started: ${sanitizeLine(event.query, 200)} ${paint("dim", `(${sanitizeLine(event.reason, 200)})`)}`;
    case "hop:progress": {
      if ("message" in event.progress) {
        return paint("dim", sanitizeLine(event.progress.message, 200));
      }
      const piece = texts.add(event.hopId, event.progress);
      return piece && sanitizeLine(piece);
    }
    case "model:start":
    case "model:end": {
      const line = modelLine(event);
      return line === undefined ? undefined : paint("dim", line);
    }
    case "hop:refused":
      return paint("red", `refused: ${sanitizeLine(event.error.message)}`);
    case "hop:abandoned":
      return paint("yellow", `abandoned (${event.reason}): it ignored its signal and still works`);
    case "hop:end": {
      texts.end(event.hopId);
      const { outcome, delegates, confidence, error } = event;
      if (delegates !== undefined && delegates.length > 0) {
        return `${paint("blue", "→")} delegates to ${delegates.map((id) => sanitizeLine(id, 64)).join(" and ")}`;
      }
      if (error !== undefined) {
        if (outcome === "waiting") return `${paint("yellow", "◷")} ${sanitizeLine(error.message)}`;
        return `${paint("red", "✗")} ${error.code}: ${sanitizeLine(error.message)}`;
      }
      const sure = confidence === undefined ? "" : `, ${Math.round(confidence * 100)} % sure`;
      return `${paint("green", "✓")} ${outcome === "partial" ? "partial answer" : "answer"}${sure}`;
    }
    case "fanout:end":
      texts.end(event.hopId); // those of its merge
      return undefined;
    default:
      return undefined;
  }
}
