/** A caller for the soak: asks for a long read, in whose middle it is killed. Arguments: server, mesh. */
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";

const [servers = "", mesh = ""] = process.argv.slice(2);

const router = createRouter({ transport: createNatsTransport({ servers, mesh, presenceMs: 500 }) });
await router.open();
router.on("hop:start", () => void process.send?.("asking"));
await router.ask("q", { to: "long", timeoutMs: 5_000 });
