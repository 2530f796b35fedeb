import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";

try {
  createNatsTransport({ servers: 7 } as never);
} catch (thrown) {
  console.log(String(thrown));
}
const transport = createNatsTransport({ servers: "nats://127.0.0.1:1" });
const router = createRouter({ transport, timeoutMs: 1_000 });
const { error } = await router.ask("Is anyone there?", { to: "docs" });
console.log(error?.code);
await router.close();
