import { type AnswerStore, createAnswerStore } from "./answer-store.js";
import type { PendingInputs } from "./elicit.js";
import type { McpServerSettings } from "./options.js";
import { createSemaphore, type Semaphore } from "./semaphore.js";

/** State shared by the servers of one handler. */
export interface HandlerState {
  readonly semaphore: Semaphore;
  readonly answers: AnswerStore;
  readonly inputs: PendingInputs;
}

/** @see HandlerState */
export function createHandlerState(settings: McpServerSettings): HandlerState {
  const { maxQueries, maxStoredBytes, answerTtlMs } = settings;
  return {
    semaphore: createSemaphore(maxQueries),
    answers: createAnswerStore({ maxBytes: maxStoredBytes, ttlMs: answerTtlMs }),
    inputs: new Map(),
  };
}
