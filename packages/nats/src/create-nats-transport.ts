import { createTransport, type Transport } from "@constellation/transport";
import { createNatsLink } from "./nats-link.js";
import { checkOptions, type NatsTransportOptions, natsTransportDefaults } from "./options.js";

/**
 * Creates a transport over NATS, for `createRouter({ transport })` and `serveLibrarians`. It connects when it is
 * opened, and always reconnects when the connection is lost.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 *
 * @example
 * ```ts
 * const transport = createNatsTransport({ servers: "nats://127.0.0.1:4222", mesh: "shop" });
 * const router = createRouter({ transport });
 * await router.open();
 * ```
 */
export function createNatsTransport(options: NatsTransportOptions): Transport {
  const checked = checkOptions(options);
  const defaults = natsTransportDefaults;
  const mesh = checked.mesh ?? defaults.mesh;
  const caller = checked.caller ?? defaults.caller;
  return createTransport(createNatsLink({ ...checked, mesh, caller }), {
    mesh,
    caller,
    heartbeatMs: checked.heartbeatMs ?? defaults.heartbeatMs,
    lostAfterMs: checked.lostAfterMs ?? defaults.lostAfterMs,
    presenceMs: checked.presenceMs ?? defaults.presenceMs,
    maxAttempts: checked.maxAttempts ?? defaults.maxAttempts,
  });
}
