import type { MeshEvent } from "@constellation/core";

/** A change of the text that a front end shows as the answer. */
export type TextChange = { readonly text: string } | { readonly isWithdrawn: true };

/** Follows the answer of a run while librarians write it. */
export interface AnswerText {
  /** What an event changes. Empty: nothing. */
  add(event: MeshEvent): readonly TextChange[];
  /** What the text lacks of the answer when the run has ended. */
  end(answer: string | undefined): readonly TextChange[];
}

const withdrawn: TextChange = { isWithdrawn: true };

/**
 * Follows the pieces of text of the librarians whose words become the answer: those on the path of delegation. What
 * branches of a fan-out and librarians that were asked for advice write is not in the answer as it is.
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
