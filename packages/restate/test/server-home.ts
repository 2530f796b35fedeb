import { fileURLToPath } from "node:url";

/** The server's package, with a lock file of its own: `npm ci` of the repository does not install it. */
export const serverHome = fileURLToPath(
  new URL("../../../examples/durable/server", import.meta.url),
);
