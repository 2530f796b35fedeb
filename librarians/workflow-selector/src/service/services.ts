import type { LibrarianServices } from "@constellation/core";
import type { CatalogStore } from "../catalog/catalog.js";
import type { SearchOptions } from "../search/search-workflow-catalog.js";
import { createAlertHandler } from "./alert-handler.js";
import { createCatalogTools } from "./catalog-tools.js";
import { createWorkflowHandler } from "./workflow-handler.js";

/** What the librarian offers beside its answers: its catalog as tools and over HTTP, and a path for alerts. */
export function createServices(store: CatalogStore, options: SearchOptions): LibrarianServices {
  return {
    tools: createCatalogTools(store, options),
    routes: {
      "/workflows": () => createWorkflowHandler(store, options),
      "/alerts": (host) => createAlertHandler(host, { to: host.id }),
    },
  };
}
