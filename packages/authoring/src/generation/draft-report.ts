import type { Context } from "@constellation/core";
import { createJsonTextReader, type JsonTextOptions } from "./json-text-reader.js";

/** Minimum length of a piece that is reported before its line ends, in characters. */
const pieceLength = 40;

/** Reports what a model writes, while it writes. */
export interface DraftReport {
  /** Takes the next piece of the reply. */
  write(piece: string): void;
  /** The reply is complete: reports the rest. */
  end(): void;
  /** Withdraws the text, if any was reported, and reports the reason. */
  withdraw(why: string): void;
}

/**
 * Creates the report of one reply.
 *
 * @param path - Where the text is in a reply in JSON; empty for a reply that is the text itself.
 * @param list - Reports every text at the path, not only the first.
 */
export function createDraftReport(
  report: NonNullable<Context["report"]>,
  path: readonly string[],
  list?: JsonTextOptions,
): DraftReport {
  const reader = path.length === 0 ? undefined : createJsonTextReader(path, list);
  let waiting = "";
  let hasReported = false;

  function flush(): void {
    if (waiting === "") return;
    hasReported = true;
    report({ text: waiting });
    waiting = "";
  }

  return {
    write(piece) {
      waiting += reader === undefined ? piece : reader.read(piece);
      if (waiting.length >= pieceLength || waiting.includes("\n")) flush();
    },
    end: flush,
    withdraw(why) {
      waiting = "";
      if (!hasReported) return;
      hasReported = false;
      report({ text: "", replaces: true });
      report({ message: why });
    },
  };
}
