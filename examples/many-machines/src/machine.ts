/** One machine: a process that serves one librarian. Arguments: server, librarian, name of the machine. */
import { createRouter, type LibrarianDefinition } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { serveLibrarians } from "@constellation/transport";

const [servers = "", id = "", machine = ""] = process.argv.slice(2);

const librarians: Readonly<Record<string, LibrarianDefinition>> = {
  desk: {
    id: "desk",
    description: "Passes each question to those who know.",
    delegatesTo: ["docs", "billing"],
    librarian: async () => ({ delegate: [{ to: "docs" }, { to: "billing" }] }),
  },
  docs: {
    id: "docs",
    description: "Answers from runbooks.",
    librarian: async (query, context) => {
      process.send?.(`${machine} works on "${query}"`);
      // Represents work of some time, so that there is a middle to be killed in.
      await new Promise((resolve) => setTimeout(resolve, query.includes("slowly") ? 1_000 : 10));
      context?.report?.(`${machine} has read the runbook`);
      return { answer: "Drain the queue first.", confidence: 0.9 };
    },
  },
  billing: {
    id: "billing",
    description: "Knows the invoices.",
    librarian: async () => ({ answer: "Two invoices are open.", confidence: 0.8 }),
  },
};

const definition = librarians[id];
if (definition === undefined) throw new RangeError(`Unknown librarian ${id}.`);
const transport = createNatsTransport({ servers, mesh: "help-desk", lostAfterMs: 1_500 });
const router = createRouter({ transport });
router.register(definition);
serveLibrarians(router, transport, { librarians: [id] });
await router.open();
process.send?.("ready");

process.once("SIGTERM", () => void close());

async function close(): Promise<void> {
  await transport.close(); // once the calls in progress have ended
  await router.close();
  process.disconnect?.();
}
