import type { LibrarianDefinition } from "@constellation/core";
import type { AgentDesk } from "./agent-desk.js";
import { type A2ALibrarianOptions, a2aLibrarianDefaults, checkOptions } from "./options.js";
import { sanitizeMarkdownLine } from "./untrusted-markdown.js";

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
  const { id, name, team, capabilities, examples } = checked;
  const { effects, timeoutMs } = a2aLibrarianDefaults;
  let opened: Promise<AgentDesk> | undefined;

  function desk(): Promise<AgentDesk> {
    opened ??= import("./agent-desk.js").then(({ createAgentDesk }) => createAgentDesk(checked));
    return opened;
  }

  return {
    id,
    description: checked.description ?? describe(checked),
    name,
    team,
    capabilities,
    examples,
    effects: checked.effects ?? effects,
    timeoutMs: checked.timeoutMs ?? timeoutMs,
    librarian: async (query, context = {}) => (await desk()).answer(query, context),
    health: async (signal) => (await desk()).health(signal),
  };
}

function describe({ url, card }: A2ALibrarianOptions): string {
  const said = card?.description;
  if (typeof said === "string" && said.trim() !== "") return sanitizeMarkdownLine(said, 1_000);
  return url === undefined
    ? "Answers as another agent."
    : `Answers as the agent at ${new URL(url).host}.`;
}
