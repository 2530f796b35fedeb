/**
 * `npm run demo`: asks the incident mesh a question, shows who is asked what, then the answer, its
 * sources and the hops. It is `constellation ask --mesh examples/incident/mesh.yaml --tree --full`.
 *
 * Exits with 0 when there is an answer, 1 when there is none, 130 when Ctrl-C ended it.
 */
import { fileURLToPath } from "node:url";
import { main, processIO } from "@constellation/cli";

const mesh = fileURLToPath(new URL("../mesh.yaml", import.meta.url));
const question =
  process.argv.slice(2).join(" ").trim() ||
  "Why does checkout keep crashing in production, and what should we run to fix it?";

const controller = new AbortController();
process.once("SIGINT", () => controller.abort()); // a second Ctrl-C ends the process at once

process.exitCode = await main(
  ["ask", "--mesh", mesh, "--tree", "--full", "--", question],
  processIO(controller.signal),
);
