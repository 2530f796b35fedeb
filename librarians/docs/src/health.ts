import { type Health, MeshError, throwIfAborted } from "@constellation/core";
import type { Knowledge, Opened } from "./knowledge.js";

/** Maximum time that a health check waits for the first reading, in milliseconds. */
const readingMs = 500;

/**
 * Reports the health of the pages: `degraded` during the first reading, `down` once their folder is gone. Rejects when
 * they cannot be read.
 */
export async function checkHealth(knowledge: Knowledge, signal: AbortSignal): Promise<Health> {
  try {
    const opened = await knowledge.current({ signal, timeoutMs: readingMs });
    if (!(await knowledge.isReachable(signal))) {
      const message = "The folder of pages cannot be read; answers use the pages read before.";
      return { status: "down", message };
    }
    return healthOfPages(opened, knowledge.isStale);
  } catch (thrown) {
    throwIfAborted(signal);
    const { reading } = knowledge;
    const isReading = thrown instanceof MeshError && thrown.code === "TIMEOUT";
    if (!isReading || reading === undefined) throw thrown;
    const { done, total } = reading;
    const message = total === 0 ? "Listing the pages." : `Reading pages: ${done} of ${total}.`;
    return { status: "degraded", message };
  }
}

function healthOfPages({ base }: Opened, isStale: boolean): Health {
  const count = base.files().length;
  const { omissions, storeProblem, embeddingProblem } = base.report;
  const [first] = omissions;
  const problems: string[] = [];
  if (isStale) problems.push("the last refresh failed; answers use the pages read before");
  if (first !== undefined) {
    const more = omissions.length > 1 ? ` and ${omissions.length - 1} more` : "";
    problems.push(`left out: ${first.file} (${first.reason})${more}`);
  }
  if (storeProblem === "not-saved") problems.push("the index could not be saved in the cache");
  if (embeddingProblem !== undefined)
    problems.push(`words alone rank: ${embeddingProblem.replace(/\.$/, "")}`);
  const counted = `${count} ${count === 1 ? "page" : "pages"}`;
  if (count === 0 && problems.length === 0) {
    return { status: "degraded", message: "There are no Markdown pages." };
  }
  return problems.length === 0
    ? { status: "up", message: `${counted}.` }
    : { status: "degraded", message: `${counted}; ${problems.join("; ")}.` };
}
