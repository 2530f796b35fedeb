import type { Router, User } from "@constellation/core";
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { capabilityTree, publicInfo } from "./catalog.js";
import { readUser } from "./request-info.js";

/** Maximum number of librarians in one reply of `list_librarians`, and in the list of resources. */
const maxListed = 1_000;

const librarianSchema = z.object({
  id: z.string(),
  description: z.string().optional(),
  name: z.string().optional(),
  team: z.string().optional(),
  capabilities: z.array(z.string()).optional(),
  examples: z.array(z.string()).optional(),
  delegatesTo: z.array(z.string()).optional(),
  effects: z.enum(["read", "write"]).optional(),
  acts: z.array(z.string()).optional(),
});

/**
 * Adds the list of librarians as a tool and as resources.
 *
 * @param user - Used where the transport names no user. Each list has only librarians that the user may ask.
 */
export function addCatalog(server: McpServer, router: Router, user: User | undefined): void {
  const visible = (context: ServerContext) => ({ user: readUser(context) ?? user });
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
