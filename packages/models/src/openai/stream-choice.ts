import { longCallMs } from "../model/long-call.js";
import type { ModelCall } from "../model/port.js";
import { isRejection } from "./rejection.js";

/** Whether a reply is asked for in pieces. */
export interface StreamChoice {
  /**
   * Asks for a stream where a listener needs it, or where the call may take long. A server that rejects
   * a stream that no listener needs is asked for the whole reply, for this model from then on.
   */
  attempt<Result>(
    model: string,
    call: Pick<ModelCall, "onText" | "remainingMs">,
    ask: (isStreamed: boolean) => Promise<Result>,
  ): Promise<Result>;
}

/** Maximum number of models to remember. */
const maxModels = 100;

/** @see StreamChoice */
export function createStreamChoice(): StreamChoice {
  const rejecting = new Set<string>();

  return {
    async attempt(model, { onText, remainingMs }, ask) {
      if (onText !== undefined) return ask(true);
      if (remainingMs() <= longCallMs || rejecting.has(model)) return ask(false);
      try {
        return await ask(true);
      } catch (thrown) {
        if (!isRejection(thrown)) throw thrown;
        const result = await ask(false);
        if (rejecting.size < maxModels) rejecting.add(model);
        return result;
      }
    },
  };
}
