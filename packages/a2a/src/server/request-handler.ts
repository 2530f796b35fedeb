import {
  type AgentCard,
  type CancelTaskRequest,
  type SendMessageRequest,
  type SendMessageResult,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  DefaultExecutionEventBus,
  DefaultRequestHandler,
  type ExecutionEventBus,
  type ExecutionEventBusManager,
  type ServerCallContext,
  type TaskStore,
} from "@a2a-js/sdk/server";

/** Event buses of tasks that are at work or wait for input, for their subscribers. */
export class TaskBuses implements ExecutionEventBusManager {
  readonly #buses = new Map<string, ExecutionEventBus>();

  createOrGetByTaskId(taskId: string): ExecutionEventBus {
    const bus = this.#buses.get(taskId) ?? new DefaultExecutionEventBus();
    this.#buses.set(taskId, bus);
    return bus;
  }

  getByTaskId(taskId: string): ExecutionEventBus | undefined {
    return this.#buses.get(taskId);
  }

  cleanupByTaskId(taskId: string): void {
    this.#buses.get(taskId)?.removeAllListeners();
    this.#buses.delete(taskId);
  }

  /** Ends the subscriptions of a task on which no run works. @param event - Published before the end. */
  end(taskId: string, event?: AgentExecutionEvent): void {
    const bus = this.#buses.get(taskId);
    this.#buses.delete(taskId);
    if (event !== undefined) bus?.publish(event);
    bus?.finished();
    bus?.removeAllListeners();
  }

  /** Ends the subscriptions of all tasks on which no run works. */
  close(isAtWork: (taskId: string) => boolean): void {
    for (const taskId of [...this.#buses.keys()]) {
      if (!isAtWork(taskId)) this.end(taskId);
    }
  }
}

/**
 * The SDK's request handler, for tasks that a run works on from a message to the next question or the
 * end: a task that is at work takes no message.
 */
export class RequestHandler extends DefaultRequestHandler {
  readonly #store: TaskStore;
  /** Ids of tasks that a message continues now. */
  readonly #continued = new Set<string>();

  readonly #buses: TaskBuses;

  constructor(card: AgentCard, store: TaskStore, executor: AgentExecutor, buses: TaskBuses) {
    super(card, store, executor, buses);
    this.#buses = buses;
    this.#store = store;
  }

  override async sendMessage(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): Promise<SendMessageResult> {
    const release = await this.#claim(params, context);
    try {
      return await super.sendMessage(params, context);
    } finally {
      release();
    }
  }

  override async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const release = await this.#claim(params, context);
    try {
      yield* super.sendMessageStream(params, context);
    } finally {
      release();
    }
  }

  /** No run would end a task that waits for input, nor its subscriptions. */
  override async cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    const waiting = await this.#store.load(params.id, context);
    const isWaiting = waiting?.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
    if (!isWaiting || this.#continued.has(params.id)) return super.cancelTask(params, context);
    const { id: taskId, contextId } = waiting;
    const status = {
      state: TaskState.TASK_STATE_CANCELED,
      message: undefined,
      timestamp: new Date().toISOString(),
    };
    const cancelled = { ...waiting, status };
    await this.#store.save(cancelled, context);
    const update = { taskId, contextId, status, metadata: undefined };
    this.#buses.end(taskId, AgentEvent.statusUpdate(update));
    return cancelled;
  }

  /** Of several messages to one task that arrive together, the first continues it. */
  async #claim({ message }: SendMessageRequest, context: ServerCallContext): Promise<() => void> {
    const taskId = message?.taskId;
    const task = taskId ? await this.#store.load(taskId, context) : undefined;
    if (task === undefined) return () => undefined; // a new task, or an id that the SDK refuses
    const { id, status } = task;
    if (atWork.has(status?.state) || this.#continued.has(id)) {
      throw new UnsupportedOperationError(
        "The task is at work. Send the message when the task needs input, or without a task id.",
      );
    }
    this.#continued.add(id);
    return () => this.#continued.delete(id);
  }
}

const atWork: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_SUBMITTED,
  TaskState.TASK_STATE_WORKING,
]);
