import type { AITool } from "@constellation/core";
import type { CatalogStore } from "../catalog/catalog.js";
import type { SearchOptions } from "../search/search-workflow-catalog.js";
import {
  getRequestSchema,
  searchFor,
  searchRequestSchema,
  workflowFor,
} from "./catalog-requests.js";

/** Options for {@link createCatalogTools} and `createWorkflowHandler`: those of the librarian with this catalog. */
export type CatalogServiceOptions = SearchOptions;

/**
 * Tools over a catalog, for the `tools` of an MCP server: `search_workflow_catalog` and `get_workflow`. Each
 * gives as JSON what the function of that name gives here. They read, and run nothing.
 */
export function createCatalogTools(
  store: CatalogStore,
  options: CatalogServiceOptions = {},
): readonly AITool[] {
  return [
    {
      name: "search_workflow_catalog",
      description:
        "Searches the catalog of remediation workflows for an incident. Returns id, version, description and confidence of each that passes the filter, the highest confidence first, and the total number of matches.",
      input: searchRequestSchema,
      async run(input, { signal }) {
        const request = searchRequestSchema.parse(input);
        return JSON.stringify(await searchFor(store, request, { signal, ...options }));
      },
    },
    {
      name: "get_workflow",
      description:
        "Returns the parameters of a workflow by its id. `NOT_FOUND` for an id that does not exist or that the filter hides.",
      input: getRequestSchema,
      async run(input, { signal }) {
        const found = await workflowFor(store, getRequestSchema.parse(input), {
          signal,
          ...options,
        });
        return found === undefined ? "NOT_FOUND" : JSON.stringify(found);
      },
    },
  ];
}
