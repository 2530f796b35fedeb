import { defineLibrarian, sanitizeMarkdownLine } from "@constellation/authoring";
import type { Librarian, LibrarianDefinition } from "@constellation/core";
import type { AgentClient } from "./agent-client.js";
import { type A2ALibrarianOptions, a2aLibrarianDefaults, checkOptions } from "./options.js";

/**
 * Creates a librarian that answers by asking an A2A agent.
 *
 * The texts of the agent's message or artifacts are the answer, its files are sources, its data is in
 * `metadata.data`; the agent of another mesh is read with its confidence and sources. All of it is
 * untrusted: bounded, sanitized, and treated as text. The card is fetched with the first query. A task
 * in progress is polled until it ends, and cancelled when the caller cancels or when it waits for input. A task that fails gives
 * `DATA_SOURCE_ERROR`, one that needs more information `INVALID_QUERY`; an agent that is unreachable or
 * late gives `SERVICE_UNAVAILABLE` or `TIMEOUT`.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createA2ALibrarian(options: A2ALibrarianOptions): LibrarianDefinition<Librarian> {
  const checked = checkOptions(options);
  const { id, name, team, capabilities, examples, delegatesTo } = checked;
  const { effects, timeoutMs } = a2aLibrarianDefaults;
  let opened: Promise<AgentClient> | undefined;

  function open(): Promise<AgentClient> {
    opened ??= import("./agent-client.js").then(({ createAgentClient }) =>
      createAgentClient(checked),
    );
    return opened;
  }

  return defineLibrarian(
    {
      id,
      description: checked.description ?? describe(checked),
      name,
      team,
      capabilities,
      examples,
      delegatesTo,
      effects: checked.effects ?? effects,
      acts: checked.acts,
      timeoutMs: checked.timeoutMs ?? timeoutMs,
      // Estimates do not fetch: there is none before the agent was asked or its health was checked.
      canAnswer: async (probe) => (await opened)?.estimate(probe),
      health: async (signal) => (await open()).health(signal),
    },
    async (query, context) => (await open()).answer(query, context, context.signal),
  );
}

function describe({ url, card }: A2ALibrarianOptions): string {
  const stated = card?.description;
  if (typeof stated === "string" && stated.trim() !== "") {
    return sanitizeMarkdownLine(stated, 1_000);
  }
  return url === undefined
    ? "Answers as another agent."
    : `Answers as the agent at ${new URL(url).host}.`;
}
