import type { Router } from "@constellation/core";
import { McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { requireRouter } from "../option-checks.js";
import { answerSchema } from "./answer.js";
import { ask } from "./ask.js";
import { capabilityTree, publicInfo } from "./catalog.js";
import { createGate, type Gate } from "./gate.js";
import { checkServerOptions, type McpServerOptions, type McpServerSettings } from "./options.js";

/** Most librarians in one reply of `list_librarians`, and in the list of resources. */
const mostListed = 1_000;

/**
 * Shows a mesh to one MCP client: tools `query`, `query_librarian` and `list_librarians`, and the
 * resources `constellation://librarians` and `constellation://librarians/{id}`.
 *
 * @returns A server to connect to one transport. {@link serveStdio} and {@link createMcpHandler} do
 *   that for you.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createMcpServer(router: Router, options: McpServerOptions = {}): McpServer {
  requireRouter(router);
  const settings = checkServerOptions(options);
  return buildServer(router, settings, createGate(settings.maxQueries));
}

/** The same from settings that were checked, behind a gate that others may share. */
export function buildServer(router: Router, settings: McpServerSettings, gate: Gate): McpServer {
  const { name, version, instructions } = settings;
  const server = new McpServer({ name, version }, { instructions });
  addQueryTools(server, router, settings, gate);
  addCatalog(server, router);
  return server;
}

function addQueryTools(
  server: McpServer,
  router: Router,
  settings: McpServerSettings,
  gate: Gate,
): void {
  const desk = { router, user: settings.user, gate };
  const query = z
    .string()
    .max(settings.maxQueryLength)
    .describe("The question, as a person would ask it.");
  const timeoutMs = z
    .number()
    .min(1)
    .max(settings.maxTimeoutMs)
    .optional()
    .describe("Most time for the answer, in milliseconds.");
  const isReadOnly = router.list().every(({ effects }) => effects !== "write");
  const annotations = { readOnlyHint: isReadOnly, openWorldHint: true };

  server.registerTool(
    "query",
    {
      title: "Ask the mesh",
      description:
        "Asks a question. Whoever can answer it does, and the answer names its sources and says how sure it is.",
      inputSchema: z.object({ query, timeoutMs }),
      outputSchema: answerSchema,
      annotations,
    },
    (asked, context) => ask(asked, desk, context),
  );
  server.registerTool(
    "query_librarian",
    {
      title: "Ask one librarian",
      description: "Asks a question of one librarian, by its id; list_librarians tells the ids.",
      inputSchema: z.object({
        librarian: z.string().max(64).describe("Id of the librarian."),
        query,
        timeoutMs,
      }),
      outputSchema: answerSchema,
      annotations,
    },
    ({ librarian, ...asked }, context) => ask({ ...asked, to: librarian }, desk, context),
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

function addCatalog(server: McpServer, router: Router): void {
  server.registerTool(
    "list_librarians",
    {
      title: "List the librarians",
      description: "Tells who can answer what: the id, description and capabilities of each.",
      inputSchema: z.object({
        capability: z
          .string()
          .max(128)
          .optional()
          .describe("Only those with this capability, or a finer one."),
        offset: z.number().int().min(0).optional().describe("How many to leave out; none."),
        limit: z
          .number()
          .int()
          .min(1)
          .max(mostListed)
          .optional()
          .describe("How many to tell; 100."),
      }),
      outputSchema: z.object({
        total: z.number().describe("How many there are, told or not."),
        librarians: z.array(librarianSchema),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ capability, offset = 0, limit = 100 }) => {
      const found = capability === undefined ? router.list() : router.find(capability);
      const librarians = found.slice(offset, offset + limit).map(publicInfo);
      const lines = librarians.map(({ id, description }) => `- ${id}: ${description}`);
      const text = lines.length === 0 ? "There is nobody." : lines.join("\n");
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
      description: "Everyone who can be asked, and the tree of their capabilities.",
      mimeType: "application/json",
    },
    (uri) => {
      const librarians = router.list();
      return jsonContent(uri, {
        librarians: librarians.map(publicInfo),
        capabilities: capabilityTree(librarians),
      });
    },
  );
  server.registerResource(
    "librarian",
    new ResourceTemplate("constellation://librarians/{id}", {
      list: () => ({
        resources: router
          .list()
          .slice(0, mostListed)
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
      description: "What a librarian says about itself.",
      mimeType: "application/json",
    },
    (uri, { id }) => {
      const found = router.list().find((librarian) => librarian.id === id);
      if (found === undefined) throw new ResourceNotFoundError(uri.href);
      return jsonContent(uri, publicInfo(found));
    },
  );
}

function jsonContent(uri: URL, value: unknown) {
  const text = JSON.stringify(value, undefined, 2);
  return { contents: [{ uri: uri.href, mimeType: "application/json", text }] };
}
