import type { AITool } from "@constellation/core";
import type { CatalogStore } from "../catalog/catalog.js";
import type { ScoringProfile } from "../search/profile.js";
import {
  getRequestSchema,
  searchFor,
  searchRequestSchema,
  workflowFor,
} from "./catalog-requests.js";

/** Options for {@link createCatalogTools} and `createWorkflowHandler`. */
export interface CatalogServiceOptions {
  /**
   * How confidence is made of semantic fit and labels; the librarian's own, where it has one.
   *
   * @default 0.5 * semantic + 0.5 * label match
   */
  readonly profile?: ScoringProfile | undefined;
}

/**
 * Tools over a catalog, for the `tools` of an MCP server: `search_workflow_catalog` and `get_workflow`. Each
 * gives as JSON what the function of that name gives here. They read, and run nothing.
 */
export function createCatalogTools(
  store: CatalogStore,
  { profile }: CatalogServiceOptions = {},
): readonly AITool[] {
  return [
    {
      name: "search_workflow_catalog",
      description:
        "Searches the catalog of remediation workflows for an incident. Returns id, version, description and confidence of each that passes the filter, the highest confidence first, and the total number of matches.",
      input: searchRequestSchema,
      async run(input, { signal }) {
        const request = searchRequestSchema.parse(input);
        return JSON.stringify(await searchFor(store, request, { signal, profile }));
      },
    },
    {
      name: "get_workflow",
      description:
        "Returns the parameters of a workflow by its id. `NOT_FOUND` for an id that does not exist or that the filter hides.",
      input: getRequestSchema,
      async run(input, { signal }) {
        const found = await workflowFor(store, getRequestSchema.parse(input), signal);
        return found === undefined ? "NOT_FOUND" : JSON.stringify(found);
      },
    },
  ];
}
