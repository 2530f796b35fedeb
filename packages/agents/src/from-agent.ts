import {
  type AIClient,
  type AIUsage,
  type HopContext,
  MeshError,
  type MeshLibrarian,
  type Source,
  withDeadline,
} from "@constellation/core";
import { isRecord } from "@constellation/core/checks";

/** Parts of the hop that an agent may use. */
export interface AgentCall {
  /** Aborts when the answer is not needed any more, and when the time is up. */
  readonly signal: AbortSignal;
  /** Maximum number of tokens that it may use, read and written: what is left of the run. `Infinity`: no limit. */
  readonly maxTokens: number;
  /** Shows a piece of the answer while the agent writes it. */
  onText(text: string): void;
  /** The rest of the hop: `user`, `metadata`, `ask`, `approve` and others. */
  readonly context: HopContext;
}

/** Answer of an agent. */
export interface AgentReply {
  readonly text: string;
  readonly sources?: readonly Source[] | undefined;
  /**
   * What all its calls of models used, in the form of its framework: `{ inputTokens, outputTokens }` (AI SDK, Mastra, OpenAI
   * Agents), or messages of LangChain with `usage_metadata`. Not given: estimated from the texts.
   */
  readonly usage?: unknown;
}

/** Options of {@link fromAgent}. */
export interface AgentOptions {
  /** Id of its model, for records and prices. */
  readonly model?: string | undefined;
  /** Prices of that model, in US dollars per million tokens. Without them its cost is not known. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined;
}

/**
 * Makes an agent of another framework a librarian. Its whole run counts as one call of a model: it is refused where the budget of
 * the run is spent, its usage is charged to it, and it is in the run's record. Spans of the framework are children of the hop's.
 *
 * @param run - Asks the agent. Must stop when `call.signal` aborts.
 * @returns A librarian: `INTERNAL_ERROR` where the agent throws.
 */
export function fromAgent(
  run: (query: string, call: AgentCall) => Promise<AgentReply | string>,
  options: AgentOptions = {},
): MeshLibrarian {
  const { model = "agent", prices } = options;
  return async (query, context) => {
    let sources: AgentReply["sources"];
    const agent: AIClient = {
      model,
      ...(prices !== undefined && {
        findPrice: () => ({ inputUsd: prices.input / 1e6, outputUsd: prices.output / 1e6 }),
      }),
      async runTools({ signal: caller, timeoutMs = Infinity, maxTotalTokens, onText }) {
        const { text, usage, ...rest } = await withDeadline(
          { signal: caller, timeoutMs, message: "The agent did not answer in time." },
          async (signal) => {
            const maxTokens = maxTotalTokens ?? Infinity;
            const call = { signal, maxTokens, context, onText: (each: string) => onText?.(each) };
            const reply = await run(query, call);
            return typeof reply === "string" ? { text: reply } : reply;
          },
        );
        sources = rest.sources;
        const used = readUsage(usage);
        return {
          ...{ text, stopReason: "end", model },
          usage: { ...used, ...(prices !== undefined && { costUsd: calculateCost(used, prices) }) },
        };
      },
      complete: () => Promise.reject(onlyAsAgent()),
      analyze: () => Promise.reject(onlyAsAgent()),
    };
    const { text } = await context.withinBudget(agent).runTools({
      prompt: query,
      tools: [],
      signal: context.signal,
      timeoutMs: context.remainingMs(),
      onText: (piece) => context.report({ text: piece }),
    });
    if (text.trim() === "") {
      return { error: { code: "NOT_FOUND", message: "The agent has no answer." } };
    }
    return { answer: text, ...(sources !== undefined && { sources }) };
  };
}

function onlyAsAgent(): MeshError {
  return new MeshError(
    "AI_UNAVAILABLE",
    "An agent of another framework supports runTools() only: it runs as a whole.",
  );
}

/** Sums the reported usage. The router estimates what is missing. */
function readUsage(usage: unknown): AIUsage {
  const list = Array.isArray(usage) ? usage.map(usageOfMessage) : [usage];
  const sum = (...names: readonly string[]) =>
    list.reduce<number>((total, each) => {
      const found = isRecord(each) ? names.map((name) => each[name]) : [];
      const tokens = found.find((value) => typeof value === "number");
      return typeof tokens === "number" ? total + tokens : total;
    }, 0);
  return {
    inputTokens: sum("inputTokens", "input_tokens", "promptTokens"),
    outputTokens: sum("outputTokens", "output_tokens", "completionTokens"),
  };
}

function usageOfMessage(message: unknown): unknown {
  return isRecord(message) ? message.usage_metadata : undefined;
}

function calculateCost(
  { inputTokens, outputTokens }: AIUsage,
  prices: NonNullable<AgentOptions["prices"]>,
): number {
  return (inputTokens * prices.input + outputTokens * prices.output) / 1e6;
}
