import { type Task, TaskState } from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { resolveUserScope, type ServerCallContext, type TaskStore } from "@a2a-js/sdk/server";

/** Bounds of {@link createTaskStore}. */
export interface TaskStoreBounds {
  readonly maxTasks: number;
  /** How long a task that has ended is kept, in milliseconds. */
  readonly taskTtlMs: number;
}

const ended: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/**
 * Keeps tasks in memory, each for the user who began it, and forgets those that ended long ago or
 * are too many: first those that were written longest ago. It does not list them.
 */
export function createTaskStore({ maxTasks, taskTtlMs }: TaskStoreBounds): TaskStore {
  // In the order they were last written, so what is due to be forgotten stands first.
  const entries = new Map<string, { readonly task: Task; readonly at: number }>();

  function forget(now: number): void {
    for (const [key, { task, at }] of entries) {
      const isDue = now - at > taskTtlMs || entries.size > maxTasks;
      if (!isDue) return;
      if (ended.has(task.status?.state)) entries.delete(key);
    }
  }

  return {
    async save(task, context) {
      const key = keyOf(task.id, context);
      entries.delete(key);
      entries.set(key, { task, at: Date.now() });
      forget(Date.now());
    },
    async load(taskId, context) {
      forget(Date.now());
      return entries.get(keyOf(taskId, context))?.task;
    },
    async list() {
      throw new UnsupportedOperationError("Tasks are not listed.");
    },
  };
}

function keyOf(taskId: string, context: ServerCallContext): string {
  return JSON.stringify([context.tenant ?? "", resolveUserScope(context), taskId]);
}
