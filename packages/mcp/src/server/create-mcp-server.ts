import type { Router, User } from "@constellation/core";
import {
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { envelopeCapability } from "../envelope-keys.js";
import { addTools, areTools, type ServedTool } from "./add-tools.js";
import { answerSchema } from "./answer.js";
import { ask, userOf } from "./ask.js";
import { capabilityTree, publicInfo } from "./catalog.js";
import {
  checkServerOptions,
  type McpServerOptions,
  type McpServerSettings,
  requireRouter,
} from "./options.js";
import { createSemaphore, type Semaphore } from "./semaphore.js";

/** Maximum number of librarians in one reply of `list_librarians`, and in the list of resources. */
const maxListed = 1_000;

/**
 * Serves a mesh to one MCP client: tools `query`, `query_librarian` and `list_librarians`, and the
 * resources `constellation://librarians` and `constellation://librarians/{id}`.
 *
 * @returns A server to connect to one transport, as {@link serveStdio} and {@link createMcpHandler} do.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createMcpServer(router: Router, options: McpServerOptions = {}): McpServer {
  requireRouter(router);
  const settings = checkServerOptions(options);
  return buildServer(router, settings, createSemaphore(settings.maxQueries));
}

/** The same from checked settings, with a semaphore that other servers may share. */
export function buildServer(
  router: Router,
  settings: McpServerSettings,
  semaphore: Semaphore,
  user: User | undefined = settings.user,
): McpServer {
  const { name, version, instructions } = settings;
  const capabilities = { extensions: { [envelopeCapability]: { versions: [1] } } };
  const server = new McpServer({ name, version }, { instructions, capabilities });
  addQueryTools(server, router, settings, semaphore);
  addCatalog(server, router, settings.user);
  addTools(server, toolsOf(router, settings, user));
  return server;
}

/**
 * The tools beside the server's own: the host's, then those of librarians that the user may ask. A name that is
 * taken is not served again.
 */
function toolsOf(
  router: Router,
  { tools, user: ownUser }: McpServerSettings,
  user: User | undefined,
): readonly ServedTool[] {
  const served = new Map<string, ServedTool>();
  for (const tool of tools) served.set(tool.name, { tool, mayUse: () => true });
  for (const { librarian, tools: offered = [] } of router.services({ user })) {
    const mayUse = (context: ServerContext) =>
      router
        .services({ user: userOf(context) ?? ownUser })
        .some((each) => each.librarian === librarian);
    for (const tool of offered) {
      if (!served.has(tool.name) && areTools([tool])) served.set(tool.name, { tool, mayUse });
    }
  }
  return [...served.values()];
}

function addQueryTools(
  server: McpServer,
  router: Router,
  settings: McpServerSettings,
  semaphore: Semaphore,
): void {
  const { user, trustedPeers } = settings;
  const access = { router, user, trustedPeers, semaphore };
  const query = z.string().max(settings.maxQueryLength).describe("The question, in plain words.");
  const timeoutMs = z
    .number()
    .min(1)
    .max(settings.maxTimeoutMs)
    .optional()
    .describe(
      `Maximum time for the answer, in milliseconds, 1 to ${settings.maxTimeoutMs}. Default: the time limit of the mesh.`,
    );
  const isReadOnly = router.list().every(({ effects }) => effects !== "write");
  const annotations = { readOnlyHint: isReadOnly, openWorldHint: true };

  server.registerTool(
    "query",
    {
      title: "Ask the mesh",
      description:
        "Ask the mesh a question. The librarians that can answer it do. Returns the answer with its sources and confidence; `missing` lists librarians that failed, `error` says why there is no answer.",
      inputSchema: z.object({ query, timeoutMs }),
      outputSchema: answerSchema,
      annotations,
    },
    (given, context) => ask({ ...given, tool: "query" }, access, context),
  );
  server.registerTool(
    "query_librarian",
    {
      title: "Ask one librarian",
      description:
        "Ask one librarian a question, by its id. Use `list_librarians` to find ids. Returns the same as `query`.",
      inputSchema: z.object({
        librarian: z.string().max(64).describe("Id of the librarian, such as `k8s`."),
        query,
        timeoutMs,
      }),
      outputSchema: answerSchema,
      annotations,
    },
    ({ librarian, ...given }, context) =>
      ask({ ...given, tool: "query_librarian", to: librarian }, access, context),
  );
}

const librarianSchema = z.object({
  id: z.string(),
  description: z.string().optional(),
  name: z.string().optional(),
  team: z.string().optional(),
  capabilities: z.array(z.string()).optional(),
  examples: z.array(z.string()).optional(),
  delegatesTo: z.array(z.string()).optional(),
  effects: z.enum(["read", "write"]).optional(),
});

/** @param user - Where the transport names none. Each list has only librarians that the user may ask. */
function addCatalog(server: McpServer, router: Router, user: User | undefined): void {
  const visible = (context: ServerContext) => ({ user: userOf(context) ?? user });
  server.registerTool(
    "list_librarians",
    {
      title: "List the librarians",
      description:
        "List the librarians of the mesh: id, description and capabilities of each. Use it to choose a librarian for `query_librarian`.",
      inputSchema: z.object({
        capability: z
          .string()
          .max(128)
          .optional()
          .describe(
            "Return only librarians with this capability or one below it: `kubernetes` includes `kubernetes.facts`. Default: all.",
          ),
        offset: z.number().int().min(0).optional().describe("Offset of the first item, default 0."),
        limit: z
          .number()
          .int()
          .min(1)
          .max(maxListed)
          .optional()
          .describe(`Maximum number of items to return, 1 to ${maxListed}, default 100.`),
      }),
      outputSchema: z.object({
        total: z.number().describe("Number of matching librarians, returned or not."),
        librarians: z.array(librarianSchema),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ capability, offset = 0, limit = 100 }, context) => {
      const found =
        capability === undefined
          ? router.list(visible(context))
          : router.find(capability, visible(context));
      const librarians = found.slice(offset, offset + limit).map(publicInfo);
      const lines = librarians.map(({ id, description }) => `- ${id}: ${description}`);
      const text = lines.length === 0 ? "No librarians found." : lines.join("\n");
      return {
        content: [{ type: "text", text }],
        structuredContent: { total: found.length, librarians },
      };
    },
  );

  server.registerResource(
    "librarians",
    "constellation://librarians",
    {
      title: "The librarians of the mesh",
      description: "All librarians, and the tree of their capabilities.",
      mimeType: "application/json",
    },
    (uri, context) => {
      const librarians = router.list(visible(context));
      return jsonContent(uri, {
        librarians: librarians.map(publicInfo),
        capabilities: capabilityTree(librarians),
      });
    },
  );
  server.registerResource(
    "librarian",
    new ResourceTemplate("constellation://librarians/{id}", {
      list: (context) => ({
        resources: router
          .list(visible(context))
          .slice(0, maxListed)
          .map(({ id, name, description }) => ({
            uri: `constellation://librarians/${id}`,
            name: id,
            title: name ?? id,
            ...(description !== undefined && { description }),
            mimeType: "application/json",
          })),
      }),
    }),
    {
      title: "A librarian",
      description: "The description of one librarian.",
      mimeType: "application/json",
    },
    (uri, { id }, context) => {
      const found = router.list(visible(context)).find((librarian) => librarian.id === id);
      if (found === undefined) throw new ResourceNotFoundError(uri.href);
      return jsonContent(uri, publicInfo(found));
    },
  );
}

function jsonContent(uri: URL, value: unknown) {
  const text = JSON.stringify(value, undefined, 2);
  return { contents: [{ uri: uri.href, mimeType: "application/json", text }] };
}
