import type { MeshEvent } from "@constellation/core";

/** A change of the text that a front end shows as the answer. */
export type TextChange = { readonly text: string } | { readonly isWithdrawn: true };

/** Tracks the answer of a run while librarians write it. */
export interface AnswerText {
  /** Changes by an event. Empty: none. */
  add(event: MeshEvent): readonly TextChange[];
  /** The missing rest of the answer when the run has ended. */
  end(answer: string | undefined): readonly TextChange[];
}

const withdrawn: TextChange = { isWithdrawn: true };

/**
 * Tracks the text of librarians on the path of delegation, whose text becomes the answer. Text of fan-out branches
 * and of `context.ask` does not go into the answer unchanged.
 */
export function createAnswerText(): AnswerText {
  const onPath = new Set<number>();
  const fannedOut = new Set<number>();
  let writer: number | undefined;
  let written = "";

  function write(hopId: number, text: string, isAnew: boolean): readonly TextChange[] {
    const changes: TextChange[] = [];
    if (written !== "" && (isAnew || writer !== hopId)) {
      changes.push(withdrawn);
      written = "";
    }
    writer = hopId;
    written += text;
    if (text !== "") changes.push({ text });
    return changes;
  }

  return {
    add(event) {
      if (event.type === "hop:start") {
        const { hopId, parentId, via } = event;
        const isBelow =
          parentId === undefined || (onPath.has(parentId) && !fannedOut.has(parentId));
        if (via !== "ask" && isBelow) onPath.add(hopId);
      } else if (event.type === "fanout:start") {
        fannedOut.add(event.hopId);
      } else if (event.type === "hop:progress" && "text" in event.progress) {
        const { text, replaces = false } = event.progress;
        if (onPath.has(event.hopId)) return write(event.hopId, text, replaces);
      }
      return [];
    },
    end(answer = "") {
      if (answer.startsWith(written)) {
        const rest = answer.slice(written.length);
        return rest === "" ? [] : [{ text: rest }];
      }
      if (answer.trimEnd() === written.trimEnd()) return [];
      return answer === "" ? [withdrawn] : [withdrawn, { text: answer }];
    },
  };
}
