import { isRejection } from "../model/failure.js";
import { longCallMs, type ModelCall } from "../model/port.js";

/** Chooses whether to stream a reply. */
export interface StreamChoice {
  /**
   * Requests a stream if a listener needs it, or if the call may take long. If the server rejects a
   * stream that no listener needs, requests whole replies for this model from then on.
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
