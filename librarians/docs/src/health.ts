import { type Health, MeshError } from "@constellation/core";
import { throwIfAborted } from "@constellation/core/authoring";
import type { Knowledge, Opened } from "./knowledge.js";

/** How long a health check waits for pages that are being read, in milliseconds. */
const readingMs = 500;

/** Health of the pages: `degraded` while they are read for the first time. Rejects when they cannot be. */
export async function healthOf(knowledge: Knowledge, signal: AbortSignal): Promise<Health> {
  try {
    return healthOfPages(
      await knowledge.current({ signal, timeoutMs: readingMs }),
      knowledge.isStale,
    );
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
  const { omissions, storeProblem } = base.report;
  const [first] = omissions;
  const problems: string[] = [];
  if (isStale) problems.push("they could not be read again, answers are from their last state");
  if (first !== undefined) {
    const more = omissions.length > 1 ? ` and ${omissions.length - 1} more` : "";
    problems.push(`left out: ${first.file} (${first.reason})${more}`);
  }
  if (storeProblem === "not-saved") problems.push("the index could not be saved in the cache");
  const counted = `${count} ${count === 1 ? "page" : "pages"}`;
  if (count === 0 && problems.length === 0) {
    return { status: "degraded", message: "There are no Markdown pages." };
  }
  return problems.length === 0
    ? { status: "up", message: `${counted}.` }
    : { status: "degraded", message: `${counted}; ${problems.join("; ")}.` };
}
