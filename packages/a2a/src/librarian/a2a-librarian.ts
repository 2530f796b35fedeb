import { A2AError } from "@a2a-js/sdk/errors";
import {
  type Context,
  formatTraceparent,
  type Health,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import { type Agent, createAgent, parseCard } from "./agent.js";
import { askAgent } from "./ask-agent.js";
import { type A2ALibrarianOptions, a2aLibrarianDefaults, checkOptions } from "./options.js";
import { readOutcome } from "./read-outcome.js";
import { plainText } from "./untrusted-text.js";
import { within } from "./within.js";

/**
 * Creates a librarian that answers by asking an A2A agent.
 *
 * The texts of the agent's message or artifacts are the answer, its files are sources, its data is in
 * `metadata.data`; the agent of another mesh is read as what it is, with confidence and sources. All
 * of it is somebody else's data: bounded, stripped, and never more than text. The card is asked for
 * with the first query. A task at work is looked at until it ends, and cancelled when nobody waits any
 * more. A task that fails gives `DATA_SOURCE_ERROR`, one that needs to know more `INVALID_QUERY`; an
 * agent that is not there or is late gives `SERVICE_UNAVAILABLE` or `TIMEOUT`.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createA2ALibrarian(options: A2ALibrarianOptions): LibrarianDefinition {
  const checked = checkOptions(options);
  const { id, url, card, headers = {}, name, team, capabilities, examples, metadata } = checked;
  const settings = withDefaults(checked);
  const { effects, timeoutMs, pollMs } = settings;
  const agent = createAgent({ ...settings, url, card, headers });

  async function answer(query: string, context: Context): Promise<Response> {
    const { signal, deadline, report } = context;
    return within({ signal, deadline, timeoutMs }, async (ending) => {
      const { client, name: agentName } = await agent.known(ending);
      const question = {
        text: query,
        metadata,
        headers: traceHeaders(context),
        pollMs,
        tell: (line: string) => report?.({ message: line }),
      };
      const outcome = await askAgent(client, question, ending);
      return readOutcome(outcome, { ...settings, agent: agentName });
    });
  }

  return {
    id,
    description: checked.description ?? describe(checked),
    name,
    team,
    capabilities,
    examples,
    effects,
    timeoutMs,
    librarian: async (query, context = {}) => {
      try {
        const response = await answer(query, context);
        const { error } = response;
        return error === undefined ? response : { ...response, error: { ...error, librarian: id } };
      } catch (thrown) {
        const failure = failureOf(thrown);
        // Where the agent is may have changed with its card.
        if (failure.code === "SERVICE_UNAVAILABLE") agent.forget();
        return { error: { ...failure.toInfo(), librarian: id } };
      }
    },
    health: (signal) => healthOf(agent, signal),
  };
}

function withDefaults(options: A2ALibrarianOptions) {
  const defaults = a2aLibrarianDefaults;
  return {
    allowedOrigins: options.allowedOrigins ?? defaults.allowedOrigins,
    effects: options.effects ?? defaults.effects,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    pollMs: options.pollMs ?? defaults.pollMs,
    confidence: options.confidence ?? defaults.confidence,
    maxAnswerLength: options.maxAnswerLength ?? defaults.maxAnswerLength,
    maxReplyBytes: options.maxReplyBytes ?? defaults.maxReplyBytes,
  };
}

function describe({ url, card }: A2ALibrarianOptions): string {
  if (card !== undefined) {
    const { name, description } = parseGiven(card);
    return plainText(
      description.trim() === "" ? `Answers as the agent ${name}.` : description,
    ).slice(0, 1_000);
  }
  return `Answers as the agent at ${new URL(url ?? "").host}.`;
}

function parseGiven(card: Readonly<Record<string, unknown>>) {
  try {
    return parseCard(card);
  } catch {
    throw new TypeError("card: expected an agent card, with a name and an interface.");
  }
}

function traceHeaders({ trace }: Context): Record<string, string> {
  if (trace === undefined) return {};
  return {
    traceparent: formatTraceparent(trace),
    ...(trace.traceState !== undefined && { tracestate: trace.traceState }),
  };
}

/** What went wrong, in the words of the mesh, and in none of the agent's. */
function failureOf(thrown: unknown): MeshError {
  if (thrown instanceof MeshError) return thrown;
  if (thrown instanceof A2AError) {
    return new MeshError("DATA_SOURCE_ERROR", `The agent refused the request (${thrown.name}).`, {
      cause: thrown,
    });
  }
  return new MeshError("DATA_SOURCE_ERROR", "The agent's reply cannot be read.", {
    reason: "invalid-response",
    cause: thrown,
  });
}

async function healthOf(agent: Agent, signal: AbortSignal): Promise<Health> {
  try {
    agent.forget();
    const { name } = await within({ signal }, (ending) => agent.known(ending));
    return { status: "up", message: `The agent ${plainText(name).slice(0, 100)} shows its card.` };
  } catch (thrown) {
    return { status: "down", message: failureOf(thrown).message };
  }
}
