import type { ListTasksRequest, ListTasksResponse, Task } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";

/** Tasks of one page where a request does not say how many. */
const defaultPageSize = 50;

/**
 * Lists tasks as `ListTasks` of A2A 1.0 asks: filtered by context, state and time of the last update,
 * the last updated first, in pages, without artifacts unless they are asked for.
 *
 * @param tasks - Those the caller may see.
 * @throws RequestMalformedError for a page token that this function did not make, and for a negative
 *   history length.
 */
export function listTasks(tasks: readonly Task[], request: ListTasksRequest): ListTasksResponse {
  const { contextId, status, statusTimestampAfter, historyLength, includeArtifacts } = request;
  if (historyLength !== undefined && historyLength < 0) {
    throw new RequestMalformedError("historyLength must be 0 or more.");
  }
  const after = statusTimestampAfter ? Date.parse(statusTimestampAfter) : Number.NEGATIVE_INFINITY;
  const found = tasks
    .filter((task) => !contextId || task.contextId === contextId)
    .filter((task) => !status || task.status?.state === status)
    .filter((task) => !statusTimestampAfter || Date.parse(updatedAt(task)) > after)
    .sort(byLastUpdate);
  const rest = behindToken(found, request.pageToken);
  const { pageSize = defaultPageSize } = request;
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((task) => ({ ...task, ...(includeArtifacts !== true && { artifacts: [] }) })),
    nextPageToken: last !== undefined && rest.length > page.length ? tokenOf(last) : "",
    pageSize: page.length,
    totalSize: found.length,
  };
}

function byLastUpdate(one: Task, other: Task): number {
  const [first, second] = [updatedAt(one), updatedAt(other)];
  if (first === second) return one.id < other.id ? -1 : 1;
  return first < second ? 1 : -1;
}

function updatedAt({ status }: Task): string {
  return status?.timestamp ?? "";
}

/** Identifies the last task of a page, so that updates in the meantime do not move tasks between pages. */
function tokenOf(task: Task): string {
  return Buffer.from(JSON.stringify([updatedAt(task), task.id])).toString("base64url");
}

function behindToken(tasks: readonly Task[], token: string): readonly Task[] {
  if (!token) return tasks;
  const [time, id] = parseToken(token);
  return tasks.filter((task) => {
    const updated = updatedAt(task);
    return updated < time || (updated === time && task.id > id);
  });
}

function parseToken(token: string): readonly [string, string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (Array.isArray(parts) && typeof parts[0] === "string" && typeof parts[1] === "string") {
      return [parts[0], parts[1]];
    }
  } catch {
    // Not a token: refused below.
  }
  throw new RequestMalformedError("pageToken: expected the nextPageToken of an earlier reply.");
}
