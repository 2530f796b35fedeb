import { type Task, TaskState } from "@a2a-js/sdk";
import { resolveUserScope, type ServerCallContext, type TaskStore } from "@a2a-js/sdk/server";
import { envelopeExtension } from "../envelope-extension.js";
import { listTasks } from "./list-tasks.js";

/** Bounds of {@link createTaskStore}. */
export interface TaskStoreBounds {
  readonly maxTasks: number;
  /** How long a task that has ended or waits for input is stored, in milliseconds. */
  readonly taskTtlMs: number;
  /** Maximum size of all tasks together, in bytes. */
  readonly maxStoredBytes: number;
}

/** States in which no run works on a task. */
const resting: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
]);

/**
 * Stores tasks in memory, each for the user who began it. Removes those on which no run has worked for
 * long, and the least recently written of them when there are too many or they are too large together.
 *
 * @param onRemove - Called with the id of a task that was removed.
 */
export function createTaskStore(
  bounds: TaskStoreBounds,
  onRemove: (taskId: string) => void,
): TaskStore {
  const { maxTasks, taskTtlMs, maxStoredBytes } = bounds;
  interface Stored {
    readonly task: Task;
    /** Its owner, see {@link readOwner}. */
    readonly owner: string;
    readonly at: number;
    readonly bytes: number;
  }
  // In the order of their last write: the next to be removed comes first.
  const stored = new Map<string, Stored>();
  let bytes = 0;

  function remove(key: string): void {
    bytes -= stored.get(key)?.bytes ?? 0;
    stored.delete(key);
  }

  function evict(now: number): void {
    for (const [key, { task, at }] of stored) {
      const isDue = now - at > taskTtlMs || stored.size > maxTasks || bytes > maxStoredBytes;
      if (!isDue) return;
      if (!resting.has(task.status?.state)) continue;
      remove(key);
      onRemove(task.id);
    }
  }

  return {
    async save(task, context) {
      const key = taskKey(task.id, context);
      const kept = withoutEnvelopes(task);
      const size = measureTask(kept);
      remove(key);
      stored.set(key, { task: kept, owner: readOwner(context), at: Date.now(), bytes: size });
      bytes += size;
      evict(Date.now());
    },
    async load(taskId, context) {
      evict(Date.now());
      return stored.get(taskKey(taskId, context))?.task;
    },
    async list(request, context) {
      evict(Date.now());
      const owner = readOwner(context);
      const own = [...stored.values()].filter((each) => each.owner === owner);
      return listTasks(
        own.map(({ task }) => structuredClone(task)), // the SDK shortens their history
        request,
      );
    },
  };
}

/** A task whose history does not repeat what calling meshes sent along, such as their users. */
function withoutEnvelopes(task: Task): Task {
  if (!task.history.some(({ metadata }) => metadata?.[envelopeExtension] !== undefined))
    return task;
  return {
    ...task,
    history: task.history.map((message) => {
      const { [envelopeExtension]: _, ...metadata } = message.metadata ?? {};
      return { ...message, metadata };
    }),
  };
}

function taskKey(taskId: string, context: ServerCallContext): string {
  return JSON.stringify([readOwner(context), taskId]);
}

/** The tenant and user of a call, as one text. */
function readOwner(context: ServerCallContext): string {
  return JSON.stringify([context.tenant ?? "", resolveUserScope(context)]);
}

/** Bytes a value takes in memory, roughly: two for a character, 16 for each value and name. */
function measureTask(task: Task): number {
  let bytes = 0;
  const left: unknown[] = [task];
  while (left.length > 0) {
    const value = left.pop();
    bytes += 16;
    if (typeof value === "string") bytes += 2 * value.length;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (typeof value === "object" && value !== null) {
      for (const [key, held] of Object.entries(value)) left.push(key, held);
    }
  }
  return bytes;
}
