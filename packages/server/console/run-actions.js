import { buttonOf, element } from "./element.js";
import { saveFile } from "./save-file.js";
import * as server from "./server.js";

/** @typedef {import("./server.js").ShownRun} ShownRun */

/**
 * What one can do with a run: ask again, edit the question, compare, export, open its trace.
 *
 * @param {ShownRun} run
 * @param {{ onAsk: (query: string, to: string) => void, onEdit: (query: string, to: string) => void, onCompare: (id: string) => void, onReplay: (id: string) => void, onProblem: (thrown: unknown) => void, traceUrl?: string }} options
 */
export function actionsOf({ record, traceId, withheld }, options) {
  const { onAsk, onEdit, onCompare, onReplay, onProblem, traceUrl } = options;
  const { query, to, runId, stopReason } = record;
  const isOver = stopReason !== undefined;
  const own = withheld !== true && isOver;
  const shown = [
    own ? buttonOf("Ask again", () => onAsk(query, to)) : undefined,
    own ? buttonOf("Edit", () => onEdit(query, to)) : undefined,
    isOver ? buttonOf("Compare", () => onCompare(runId)) : undefined,
    own && server.canGoBack() && stopReason !== "waiting"
      ? buttonOf("Replay", () => onReplay(runId), "Run it again without a call, and compare")
      : undefined,
    buttonOf("JSON", () => void save(runId, "json").catch(onProblem), "Export as JSON"),
    buttonOf("Mermaid", () => void save(runId, "mermaid").catch(onProblem), "Export as Mermaid"),
    traceUrl === undefined || traceId === undefined
      ? undefined
      : element(
          "a",
          {
            class: "quiet",
            href: traceUrl.replace("{traceId}", traceId),
            rel: "noopener noreferrer",
            target: "_blank",
          },
          "Trace",
        ),
  ];
  return shown.filter((each) => each !== undefined);
}

/**
 * Saves a run as a file.
 *
 * @param {string} id
 * @param {"json" | "mermaid"} format
 */
async function save(id, format) {
  const text = await server.exportRun(id, format);
  const type = format === "json" ? "application/json" : "text/plain";
  const ending = format === "json" ? "json" : "mmd";
  saveFile(text, type, `run-${id.slice(0, 8)}.${ending}`);
}
