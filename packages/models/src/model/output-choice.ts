import { isRejection } from "./failure.js";
import type { ModelRequest } from "./port.js";
import { isOpen } from "./schema-in-words.js";

/** Ways to ask for JSON, the most reliable first. */
export const structuredOutputs = ["json-schema", "json-object", "words"] as const;

/** One of {@link structuredOutputs}: with the schema, as JSON of any shape, or with instructions alone. */
export type StructuredOutput = (typeof structuredOutputs)[number];

/** Chooses how to request structured output. */
export interface OutputChoice {
  /**
   * Uses the way that is known to work for the request's model. When the server rejects a request for
   * structured output, sends it again in the next way, and keeps that way for this model if it works.
   */
  attempt<Result>(
    request: ModelRequest<unknown>,
    ask: (structuredOutput: StructuredOutput) => Promise<Result>,
  ): Promise<Result>;
}

/** Maximum number of models to remember. */
const maxModels = 100;

/** @param first - The way to try first. */
export function createOutputChoice(first: StructuredOutput): OutputChoice {
  const known = new Map<string, StructuredOutput>();

  return {
    async attempt(request, ask) {
      const { model, format } = request;
      const begin = known.get(model) ?? first;
      if (format === undefined) return ask(begin);
      for (let index = structuredOutputs.indexOf(begin); ; index++) {
        const way = structuredOutputs[index] ?? "words";
        try {
          const result = await ask(way);
          if (way !== begin && known.size < maxModels) known.set(model, way);
          return result;
        } catch (thrown) {
          if (way === "words" || !isRejection(thrown)) throw thrown;
          // An open schema is in the instructions already, with JSON of any shape.
          if (way === "json-schema" && isOpen(format.schema)) index++;
        }
      }
    },
  };
}
