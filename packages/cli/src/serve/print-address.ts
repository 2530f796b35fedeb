import type { Router } from "@constellation/core";
import type { CommandIO } from "../command-io.js";
import { paintFor } from "../terminal/paint.js";

/** What is served beside `/ask`. */
interface Served {
  readonly console: boolean;
  readonly mcp: boolean;
  readonly a2a: boolean;
}

/** Prints where a server listens, and its paths: its own, and those that librarians offer. */
export function printAddress(
  address: string,
  router: Router,
  { console, mcp, a2a }: Served,
  io: CommandIO,
): void {
  const paint = paintFor(io.stdout, io.env);
  const rows = [
    console ? ["console", "/"] : undefined,
    ["ask", "/ask"],
    mcp ? ["MCP", "/mcp"] : undefined,
    a2a ? ["A2A", "/.well-known/agent-card.json"] : undefined,
    ...listPaths(router),
  ].filter((row) => row !== undefined);
  const width = Math.max(8, ...rows.map(([what = ""]) => what.length));
  io.stdout.write(`Listening on ${paint("bold", address)}\n`);
  for (const [what = "", path] of rows)
    io.stdout.write(`  ${what.padEnd(width)} ${address}${path}\n`);
}

/** Paths of the routes that librarians offer, by librarian. */
function listPaths(router: Router): readonly (readonly [librarian: string, path: string])[] {
  return router
    .services()
    .flatMap(({ librarian, routes = {} }) =>
      Object.keys(routes).map((path) => [librarian, path] as const),
    );
}
