import type { AIClient, AICompletion, AIRequest } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { type AnyRequest, isRecord, withCalls } from "@constellation/core/checks";
import { entryVersion, type ModelBody } from "./entries.js";

/** Where calls of a model are recorded. */
export interface ModelRecorder {
  keyOf(content: unknown): string;
  find(key: string): ModelBody | undefined;
  record(key: string, body: ModelBody): void;
  /** Lets others know that a call is under way. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Wraps a client: a call that is recorded is not made again. */
export function recordModel(client: AIClient, recorder: ModelRecorder): AIClient {
  async function call<Request extends AnyRequest, Result extends AICompletion>(
    method: string,
    request: Request,
    make: (request: Request) => Promise<Result>,
  ): Promise<Result> {
    const key = recorder.keyOf(identifyCall(method, request));
    const recorded = recorder.find(key);
    if (recorded?.error !== undefined) {
      const { code, message, suggestion, details } = recorded.error;
      throw new MeshError(code, message, { suggestion, details });
    }
    if (isRecord(recorded?.result)) {
      const result = recorded.result as unknown as Result; // the recorded result of the same call
      if (result.text !== "") request.onText?.(result.text);
      return result;
    }
    return recorder.during(async () => {
      try {
        const result = await make(request);
        recorder.record(key, { v: entryVersion, result });
        return result;
      } catch (thrown) {
        const error = MeshError.copyOf(thrown);
        // A call that was stopped is made again.
        if (error !== undefined && request.signal?.aborted !== true) {
          recorder.record(key, { v: entryVersion, error: error.toInfo() });
        }
        throw thrown;
      }
    });
  }

  return withCalls(client, call);
}

/** The content of a call, without its limits, which differ each time. */
function identifyCall(method: string, request: AIRequest): unknown {
  const { system, prompt, model, task } = request;
  const name: unknown = Reflect.get(request, "name");
  const tools: unknown = Reflect.get(request, "tools");
  const toolNames = Array.isArray(tools)
    ? tools.map((tool: unknown) => (isRecord(tool) ? String(tool.name) : ""))
    : undefined;
  return [method, system, prompt, model, task, String(name), toolNames];
}
