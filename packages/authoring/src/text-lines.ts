import type { Progress } from "@constellation/core";

/** Maximum length of a piece, in characters; pieces also end at line breaks. */
const pieceLength = 200;

/** Collects text that comes in pieces, for readers of lines. */
export interface TextLines {
  /**
   * Takes the next piece of a call.
   *
   * @returns The text that is complete now, without the line break; `undefined` until there is enough for a line.
   */
  add(callId: number, piece: Extract<Progress, { readonly text: string }>): string | undefined;
  /** Drops the unfinished text of a call. */
  end(callId: number): void;
}

/** Creates a collector of the text that calls report. */
export function createTextLines(): TextLines {
  const waiting = new Map<number, string>();
  return {
    add(callId, { text, replaces }) {
      const whole = (replaces === true ? "" : (waiting.get(callId) ?? "")) + text;
      const lineEnd = whole.lastIndexOf("\n");
      const end = lineEnd >= 0 ? lineEnd : whole.length >= pieceLength ? whole.length : 0;
      waiting.set(callId, whole.slice(end));
      const piece = whole.slice(0, end).trim();
      return piece === "" ? undefined : piece;
    },
    end: (callId) => void waiting.delete(callId),
  };
}
