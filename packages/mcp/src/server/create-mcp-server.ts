import type { Router, User } from "@constellation/core";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { envelopeCapability } from "../envelope-keys.js";
import { addAnswers } from "./add-answers.js";
import { addCatalog } from "./add-catalog.js";
import { addTools, areTools, type ServedTool } from "./add-tools.js";
import { answerSchema } from "./answer.js";
import { ask } from "./ask.js";
import { createHandlerState, type HandlerState } from "./handler-state.js";
import {
  checkServerOptions,
  type McpServerOptions,
  type McpServerSettings,
  requireRouter,
} from "./options.js";
import { readUser } from "./request-info.js";

/**
 * Serves a mesh to one MCP client: tools `query`, `query_librarian` and `list_librarians`, and the
 * resources `constellation://librarians`, `constellation://librarians/{id}` and, for answers that were
 * cut, `constellation://answers/{id}`.
 *
 * @returns A server to connect to one transport, as {@link serveStdio} and {@link createMcpHandler} do.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createMcpServer(router: Router, options: McpServerOptions = {}): McpServer {
  requireRouter(router);
  const settings = checkServerOptions(options);
  return buildServer(router, settings, createHandlerState(settings));
}

/** The same from checked settings, with state that servers share. */
export function buildServer(
  router: Router,
  settings: McpServerSettings,
  shared: HandlerState,
  user: User | undefined = settings.user,
): McpServer {
  const { name, version, instructions } = settings;
  const capabilities = { extensions: { [envelopeCapability]: { versions: [1] } } };
  const server = new McpServer({ name, version }, { instructions, capabilities });
  addQueryTools(server, router, settings, shared);
  addCatalog(server, router, settings.user);
  addAnswers(server, shared, settings.user);
  addTools(server, listTools(router, settings, user));
  return server;
}

/**
 * The tools beside the server's own: the host's, then those of librarians that the user may ask. A name is served
 * once.
 */
function listTools(
  router: Router,
  { tools, user: ownUser }: McpServerSettings,
  user: User | undefined,
): readonly ServedTool[] {
  const served = new Map<string, ServedTool>();
  for (const tool of tools) served.set(tool.name, { tool, mayUse: () => true });
  for (const { librarian, tools: offered = [] } of router.services({ user })) {
    const mayUse = (context: ServerContext) =>
      router
        .services({ user: readUser(context) ?? ownUser })
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
  shared: HandlerState,
): void {
  const capabilities = () => server.server.getClientCapabilities();
  const access = { router, settings, shared, capabilities };
  const query = z.string().max(settings.maxQueryLength).describe("The question, in plain words.");
  const timeoutMs = z
    .number()
    .min(1)
    .max(settings.maxTimeoutMs)
    .optional()
    .describe(
      `Maximum time for the answer, in milliseconds, 1 to ${settings.maxTimeoutMs}. Default: the time limit of the mesh.`,
    );
  const thread = z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Id of the conversation, such as a UUID. Pass the same id with each question of the conversation, so that follow-ups are understood.",
    );
  const whole = z.object({ query, timeoutMs, thread });
  // Of the same type: what is left out is optional.
  const question = settings.threads ? whole : (whole.omit({ thread: true }) as typeof whole);
  const isReadOnly = router.list().every(({ effects }) => effects !== "write");
  const annotations = { readOnlyHint: isReadOnly, openWorldHint: true };

  server.registerTool(
    "query",
    {
      title: "Ask the mesh",
      description:
        "Ask the mesh a question. The librarians that can answer it do. Returns the answer with its sources and confidence; `missing` lists librarians that failed, `error` says why there is no answer.",
      inputSchema: question,
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
        "Ask one librarian a question, by its id. Use `list_librarians` to find ids. One that lists `acts` changes something: order one of them in plain words. Returns the same as `query`.",
      inputSchema: question.extend({
        librarian: z.string().max(64).describe("Id of the librarian, such as `k8s`."),
      }),
      outputSchema: answerSchema,
      annotations,
    },
    ({ librarian, ...given }, context) =>
      ask({ ...given, tool: "query_librarian", to: librarian }, access, context),
  );
}
