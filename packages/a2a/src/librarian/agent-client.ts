import type { Task } from "@a2a-js/sdk";
import { A2AError } from "@a2a-js/sdk/errors";
import { sanitizeMarkdownLine } from "@constellation/authoring";
import {
  type CanAnswer,
  type Context,
  formatTraceparent,
  type Health,
  MeshError,
  type Response,
  withDeadline,
} from "@constellation/core";
import { estimateAnswers } from "@constellation/retrieval";
import { type OutgoingCall, openCall } from "@constellation/transport/envelope";
import { envelopeExtension, extensionsHeader } from "../envelope-extension.js";
import { spanDetails } from "../span-details.js";
import { type Agent, createAgent, type ResolvedAgent } from "./agent.js";
import { askAgent } from "./ask-agent.js";
import { EqualCalls } from "./equal-calls.js";
import { type A2ALibrarianOptions, a2aLibrarianDefaults } from "./options.js";
import { readOutcome } from "./read-outcome.js";

/** Asks one agent. Separate from the librarian, so that the SDK is loaded on demand. */
export interface AgentClient {
  /** @throws MeshError when the agent cannot be asked. */
  answer(query: string, context: Context, signal: AbortSignal): Promise<Response>;
  health(signal: AbortSignal): Promise<Health>;
  /** Estimated from the card of the agent. `undefined` until it was read. */
  readonly estimate: CanAnswer;
}

/** @param options - Checked. */
export function createAgentClient(options: A2ALibrarianOptions): AgentClient {
  const { id, url, card, headers = {}, metadata } = options;
  const settings = withDefaults(options);
  const { timeoutMs, pollMs } = settings;
  const agent = createAgent({ ...settings, url, card, headers });
  const equalCalls = new EqualCalls();

  async function ask(query: string, context: Context, signal: AbortSignal): Promise<Response> {
    const resolved = await agent.resolve(signal);
    if (resolved.readsEnvelopes) return send(resolved, query, context, signal);
    const leave = await equalCalls.enter(query, context, signal);
    try {
      return await send(resolved, query, context, signal);
    } finally {
      leave();
    }
  }

  async function send(
    { client, name, readsEnvelopes }: ResolvedAgent,
    query: string,
    context: Context,
    signal: AbortSignal,
  ): Promise<Response> {
    const { report } = context;
    const outgoing = openCall(context, { ...options, span: spanDetails });
    const envelope = readsEnvelopes ? outgoing.envelope() : undefined;
    const question = {
      text: query,
      metadata: envelope === undefined ? metadata : { ...metadata, [envelopeExtension]: envelope },
      headers: {
        ...traceHeaders(outgoing),
        ...(envelope !== undefined && { [extensionsHeader]: envelopeExtension }),
      },
      pollMs,
      remainingMs: context.remainingMs ?? (() => Number.POSITIVE_INFINITY),
      onStatus: (line: string) => report?.({ message: line }),
      onCancelled: ({ metadata: reply }: Task) => outgoing.end(reply?.[envelopeExtension]),
    };
    const asking = outgoing.within(() => askAgent(client, question, signal));
    const outcome = await asking.catch((thrown: unknown) => {
      outgoing.end(undefined, readFailure(thrown));
      throw thrown;
    });
    outgoing.end("messageId" in outcome ? undefined : outcome.metadata?.[envelopeExtension]);
    const response = readOutcome(outcome, {
      ...settings,
      meshAnswerLength: options.maxAnswerLength,
      agent: name,
    });
    const { error } = response;
    const librarian = context.librarian?.id ?? id;
    return error === undefined ? response : { ...response, error: { ...error, librarian } };
  }

  return {
    async answer(query, context, signal) {
      try {
        const message = "The agent did not answer in time.";
        return await withDeadline({ signal, timeoutMs, message }, (ends) =>
          ask(query, context, ends),
        );
      } catch (thrown) {
        const failure = readFailure(thrown);
        // The address of the agent may have changed with its card.
        if (failure.code === "SERVICE_UNAVAILABLE") agent.invalidate();
        throw failure;
      }
    },
    health: (signal) => checkHealth(agent, signal),
    estimate: estimateAnswers(() => agent.skills(), {
      about: [options.description ?? "", ...(options.examples ?? [])].join("\n"),
    }),
  };
}

function withDefaults(options: A2ALibrarianOptions) {
  const defaults = a2aLibrarianDefaults;
  return {
    allowedOrigins: options.allowedOrigins ?? defaults.allowedOrigins,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    pollMs: options.pollMs ?? defaults.pollMs,
    confidence: options.confidence ?? defaults.confidence,
    maxAnswerLength: options.maxAnswerLength ?? defaults.maxAnswerLength,
    maxReplyBytes: options.maxReplyBytes ?? defaults.maxReplyBytes,
  };
}

function traceHeaders({ trace }: OutgoingCall): Record<string, string> {
  if (trace === undefined) return {};
  return {
    traceparent: formatTraceparent(trace),
    ...(trace.traceState !== undefined && { tracestate: trace.traceState }),
  };
}

/** Converts a failure to an error of the mesh, without any text of the agent. */
function readFailure(thrown: unknown): MeshError {
  if (thrown instanceof MeshError) return thrown;
  if (thrown instanceof A2AError) {
    return new MeshError("DATA_SOURCE_ERROR", `The agent rejected the request (${thrown.name}).`, {
      cause: thrown,
    });
  }
  return new MeshError("DATA_SOURCE_ERROR", "The agent's reply cannot be read.", {
    reason: "invalid-response",
    cause: thrown,
  });
}

async function checkHealth(agent: Agent, signal: AbortSignal): Promise<Health> {
  try {
    agent.invalidate();
    const { name } = await withDeadline({ signal }, (ends) => agent.resolve(ends));
    return {
      status: "up",
      message: `The agent ${sanitizeMarkdownLine(name, 100)} shows its card.`,
    };
  } catch (thrown) {
    return { status: "down", message: readFailure(thrown).message };
  }
}
