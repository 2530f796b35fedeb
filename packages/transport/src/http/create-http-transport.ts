import { createTransport } from "../create-transport.js";
import { transportDefaults } from "../settings.js";
import type { Transport } from "../transport.js";
import { checkOptions } from "./check-options.js";
import { createHttpLink } from "./http-link.js";
import type { HttpTransportOptions } from "./options.js";

/**
 * Creates a transport over HTTP, for `createRouter({ transport })` and `serveLibrarians`: a few processes
 * that connect to each other, without a message system between them. A process connects to its `peers` and always
 * reconnects when a connection is lost. Processes without a connection between them do not see each other.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 *
 * @example
 * ```ts
 * const transport = createHttpTransport({
 *   listen: { host: "0.0.0.0", port: 7000 },
 *   peers: ["http://10.0.0.5:7000", "http://10.0.0.6:7000"],
 *   token: process.env.MESH_TOKEN,
 * });
 * const router = createRouter({ transport });
 * await router.open();
 * ```
 *
 * @beta
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { mesh = "constellation", caller = "any", ...checked } = checkOptions(options);
  return createTransport(createHttpLink({ ...checked, mesh }), {
    mesh,
    caller,
    heartbeatMs: checked.heartbeatMs ?? transportDefaults.heartbeatMs,
    lostAfterMs: checked.lostAfterMs ?? transportDefaults.lostAfterMs,
    presenceMs: checked.presenceMs ?? transportDefaults.presenceMs,
    maxAttempts: checked.maxAttempts ?? transportDefaults.maxAttempts,
  });
}
