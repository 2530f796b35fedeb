import type { LibrarianServices } from "@constellation/core";
import type { CatalogStore } from "../catalog/catalog.js";
import type { ScoringProfile } from "../search/profile.js";
import { createAlertHandler } from "./alert-handler.js";
import { createCatalogTools } from "./catalog-tools.js";
import { createWorkflowHandler } from "./workflow-handler.js";

/** What the librarian offers beside its answers: its catalog as tools and over HTTP, and a path for alerts. */
export function servicesOf(
  store: CatalogStore,
  profile: ScoringProfile | undefined,
): LibrarianServices {
  return {
    tools: createCatalogTools(store, { profile }),
    routes: {
      "/workflows": () => createWorkflowHandler(store, { profile }),
      "/alerts": (host) => createAlertHandler(host, { to: host.id }),
    },
  };
}
