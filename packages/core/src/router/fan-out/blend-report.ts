import type { Progress } from "../../contract/progress.js";
import type { MergeOptions } from "../../contract/response.js";

/** Reports a blend while the model writes it. */
export interface BlendReport {
  /** What the model wrote, and why it is withdrawn. */
  report(progress: string | Progress): void;
  /** Reports what the text lacks of the answer, or the answer anew where the text is not its beginning. */
  end(answer: string): void;
}

/** @param report - Of the merge. */
export function createBlendReport(report: MergeOptions["report"]): BlendReport {
  let written = "";
  return {
    report(progress) {
      if (typeof progress === "object" && "text" in progress) {
        written = progress.replaces === true ? progress.text : written + progress.text;
      }
      report(progress);
    },
    end(answer) {
      if (written === "" || written === answer) return; // a model that does not stream
      if (answer.startsWith(written)) report({ text: answer.slice(written.length) });
      else report({ text: answer, replaces: true });
    },
  };
}
