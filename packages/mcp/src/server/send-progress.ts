import { createTextLines, modelLine, type TextLines } from "@constellation/authoring";
import type { MeshEvent, Run } from "@constellation/core";
import type { LibrarianFilter } from "@constellation/transport/envelope";
import type { ServerContext } from "@modelcontextprotocol/server";

/**
 * Maximum number of notifications for one query, and of characters of one and of all: they stay in memory while a
 * client reads slowly.
 */
const limits = { notifications: 1_000, length: 1_000, totalLength: 100_000 };

/**
 * Sends the progress of a run to a client that asked for it, one notification after the other.
 *
 * @param filter - Removes what the client may not read.
 * @returns When the run has ended and everything was sent, or the client is gone. Never rejects.
 */
export async function sendProgress(
  run: Run,
  filter: LibrarianFilter,
  { mcpReq }: ServerContext,
): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const { signal } = mcpReq;
  let leave: () => void = () => undefined;
  // A client that stops reading would delay a notification without end.
  const left = new Promise<void>((resolve) => {
    leave = resolve;
    signal.addEventListener("abort", leave, { once: true });
  });
  const texts = createTextLines();
  let progress = 0;
  let written = 0;
  try {
    for await (const event of run.events) {
      if (signal.aborted || progress >= limits.notifications) return;
      const message = describeProgress(filter.apply(event), texts)?.slice(0, limits.length);
      if (message === undefined) continue;
      written += message.length;
      if (written > limits.totalLength) return;
      progress++;
      const params = { progressToken, progress, message };
      await Promise.race([left, mcpReq.notify({ method: "notifications/progress", params })]);
    }
  } catch {
    // The client is gone, which its transport reports.
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** An event as a line of text; an answer that is being written, line by line. */
function describeProgress(event: MeshEvent, texts: TextLines): string | undefined {
  switch (event.type) {
    case "hop:start":
      return event.attempt > 1 ? `Asking ${event.to} again.` : `Asking ${event.to}.`;
    case "hop:progress": {
      const { progress } = event;
      const line = "message" in progress ? progress.message : texts.add(event.hopId, progress);
      return line === undefined ? undefined : `${event.to}: ${line}`;
    }
    case "model:start":
    case "model:end": {
      const line = modelLine(event);
      return line === undefined ? undefined : `${event.to}: ${line}`;
    }
    case "hop:refused":
      return `${event.to} was not asked: ${event.error.code}.`;
    case "hop:end":
      return event.error === undefined ? undefined : `${event.to}: ${event.error.code}.`;
    default:
      return undefined;
  }
}
