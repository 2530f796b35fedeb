import { createA2AHandler } from "@constellation/a2a";
import { type Router, withDeadline } from "@constellation/core";
import { createMcpHandler } from "@constellation/mcp";
import { catchRejections, createServer, type EndpointName } from "@constellation/server";
import { serveLibrarians } from "@constellation/transport";
import { aborted, type CommandIO, exitCodes } from "../command-io.js";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import { journalIn } from "../mesh/create-journal.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { withOpenMesh } from "../open-mesh.js";
import { listenProblem } from "../serve/listen-problem.js";
import { printAddress } from "../serve/print-address.js";
import { printNotStarted, printProblems } from "../serve/print-problems.js";
import { readAuth } from "../serve/read-auth.js";
import { printAuthorFaults, printBlocking, printRejection } from "../terminal/causes.js";

/** Command-line options of `serve`. */
export interface ServeFlags {
  readonly mesh?: string;
  readonly host: string;
  readonly port: number;
  readonly url?: string;
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly allowAnonymous?: true;
  readonly trustProxy?: readonly string[];
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  readonly bodyBytes?: number;
  readonly open?: readonly EndpointName[];
  readonly console: boolean;
  readonly mcp: boolean;
  readonly a2a: boolean;
  readonly log?: true;
  readonly journal?: string | false;
  readonly recordContent?: true;
  readonly debug?: true;
  readonly traceUrl?: string;
  readonly librarian?: readonly string[];
}

/**
 * `constellation serve`: the mesh over HTTP, with MCP and A2A beside it, until the signal aborts. With a transport,
 * its librarians are also served to other processes. With `--librarian`, only those are served, without HTTP.
 */
export async function serve(flags: ServeFlags, io: CommandIO): Promise<number> {
  const options = {
    only: flags.librarian,
    debug: flags.debug,
    journal: flags.journal,
    // A process that only serves librarians keeps no runs.
    defaultJournal: flags.librarian === undefined ? journalIn(io.env) : undefined,
    traceAs: "constellation serve",
  };
  return withOpenMesh(flags.mesh, io, options, async (mesh) => {
    const stop = await asConfigurationError(() => serveToProcesses(mesh, flags, io));
    try {
      if (flags.librarian === undefined) await serveUntilAborted(mesh, flags, io);
      else await untilAborted(mesh.router, io);
    } finally {
      await stop();
    }
    return exitCodes.answered;
  });
}

/** Serves the librarians of this file over the transport. @returns A function that stops it once calls have ended. */
function serveToProcesses(
  { router, transport: made, own = [] }: Mesh,
  { librarian: only }: ServeFlags,
  io: CommandIO,
): () => Promise<void> {
  if (made === undefined) {
    if (only === undefined) return async () => undefined;
    throw new Error("--librarian needs `transport` in the mesh file.");
  }
  const { transport, servers, trustedPeers } = made;
  const librarians = only ?? own;
  if (librarians.length === 0) return async () => undefined;
  const stop = serveLibrarians(router, transport, { librarians, trustedPeers });
  io.stdout.write(
    `Serving ${librarians.join(", ")} to the mesh ${transport.mesh} over ${servers}\n`,
  );
  return stop;
}

/** Maximum time for librarians to load their data before the server listens, in milliseconds. */
const warmUpMs = 15_000;

async function serveUntilAborted(mesh: Mesh, flags: ServeFlags, io: CommandIO): Promise<void> {
  const { host, port, log } = flags;
  const { router, ai } = mesh;
  const transport = mesh.transport?.transport;
  const auth = readAuth(flags, io.env);
  const mcp = flags.mcp ? createMcpMount(mesh, flags) : undefined;
  const a2a = flags.a2a
    ? createA2AHandler(router, {
        name: mesh.name,
        threads: hasThreads(mesh),
        ...(auth !== undefined && { auth: "bearer" as const }),
      })
    : undefined;
  try {
    const create = () =>
      createServer(router, {
        auth,
        allowAnonymous: flags.allowAnonymous,
        ...readServerOptions(mesh, flags),
        console: flags.console,
        ai,
        debug: flags.debug,
        presence: transport && (() => transport.present()),
        mounts: {
          ...(mcp !== undefined && { "/mcp": mcp }),
          ...(a2a !== undefined && { "/a2a": a2a, "/.well-known/agent-card.json": a2a }),
        },
        onUnhandledRejection: (rejection) => printRejection(rejection, io),
        log: log === true ? (line) => io.stderr.write(`${JSON.stringify(line)}\n`) : undefined,
      });
    const server = await asConfigurationError(create, nameTokens);
    try {
      // Lets librarians read their data now instead of at the first question.
      await router
        .open({ signal: io.signal, timeoutMs: warmUpMs })
        .catch((thrown: unknown) => printNotStarted(thrown, io));
      await withDeadline({ signal: io.signal }, () => router.health({ timeoutMs: warmUpMs })).catch(
        () => undefined,
      ); // a librarian that is down does not keep the rest from serving
      const address = await server.listen({ host, port }).catch((thrown: unknown) => {
        throw new ConfigurationError(describeListenError(thrown, flags), { cause: thrown });
      });
      printAddress(address.url, router, flags, io);
      printProblems(router, io);
      printBlocking(router, io);
      if (flags.debug === true) printAuthorFaults(router, io);
      await aborted(io.signal);
      io.stderr.write("Stopping: requests in progress may end.\n");
    } finally {
      await server.close();
    }
  } finally {
    await Promise.all([mcp?.close(), a2a?.close()]);
  }
}

/** Options of the server: those of the command before those of the mesh file. */
function readServerOptions({ journal, server = {} }: Mesh, flags: ServeFlags) {
  const {
    url,
    trustProxy,
    recordContent = server.recordContent,
    traceUrl = server.traceUrl,
  } = flags;
  const { concurrency, requestsPerMinute, bodyBytes } = flags;
  return {
    limits: {
      ...server.limits,
      ...(concurrency !== undefined && { concurrency }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(bodyBytes !== undefined && { bodyBytes }),
    },
    trustedProxies: trustProxy ?? server.trustedProxies,
    publicUrl: url && new URL(url).origin,
    trustedOrigins: server.trustedOrigins,
    open: flags.open ?? server.open,
    recordContent,
    traceUrl,
    journal,
  };
}

/** Replaces the option in a message about a token by the environment variable. */
function nameTokens(message: string): string {
  const [path = "", problem] = message.split(".token: ", 2);
  if (!path.startsWith("auth.tokens.") || problem === undefined) return message;
  return `CONSTELLATION_TOKENS: ${problem} \`openssl rand -hex 32\` makes one.`;
}

function describeListenError(thrown: unknown, { host, port, debug }: ServeFlags): string {
  if (thrown instanceof RangeError && debug === true) {
    return `--host ${host} can be reached from outside, and --debug shows stacks. Leave one of them out.`;
  }
  if (thrown instanceof RangeError) {
    return `--host ${host} can be reached from outside without authentication. Set CONSTELLATION_TOKENS, pass --jwks-url, or pass --allow-anonymous.`;
  }
  return listenProblem(thrown, { host, port });
}

/** Serves librarians to other processes, without HTTP. */
async function untilAborted(router: Router, io: CommandIO): Promise<void> {
  const stops = [
    catchRejections(router, (rejection) => printRejection(rejection, io)),
    printBlocking(router, io),
  ];
  await aborted(io.signal);
  for (const stop of stops) stop();
}

/** Behind a public URL, requests are for its host; the server admits them first. */
function createMcpMount(mesh: Mesh, { host, url }: ServeFlags) {
  const { name, router, mcp } = mesh;
  const threads = hasThreads(mesh);
  const local = ["localhost", "127.0.0.1", "[::1]"];
  const names = [...local, host, ...(url === undefined ? [] : [new URL(url).hostname])];
  const isAnyName = ["0.0.0.0", "::"].includes(host) && url === undefined;
  const allowed = isAnyName ? ("any" as const) : names;
  return createMcpHandler(router, {
    ...mcp,
    name,
    threads,
    allowedHosts: allowed,
    allowedOrigins: names,
  });
}

/**
 * Whether the router is known to have a journal. For a module it is not known, because the module attaches its own.
 */
function hasThreads({ journal, own }: Mesh): boolean {
  return journal !== undefined && own !== undefined;
}
