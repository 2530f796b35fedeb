import {
  type AgentCard,
  type SendMessageRequest,
  type SendMessageResult,
  type StreamResponse,
  TaskState,
} from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import {
  type AgentExecutor,
  DefaultRequestHandler,
  type ServerCallContext,
  type TaskStore,
} from "@a2a-js/sdk/server";

/**
 * The SDK's request handler, for tasks that a run works on from a message to the next question or the
 * end: a task that is at work takes no message.
 */
export class RequestHandler extends DefaultRequestHandler {
  readonly #store: TaskStore;
  /** Ids of tasks that a message continues now. */
  readonly #continued = new Set<string>();

  constructor(card: AgentCard, store: TaskStore, executor: AgentExecutor) {
    // A task that waits for input keeps no event bus: its next message makes one.
    const options = { keepBusAliveStates: [] };
    super(card, store, executor, undefined, undefined, undefined, undefined, undefined, options);
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
