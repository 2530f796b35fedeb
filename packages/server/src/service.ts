import type { Router } from "@constellation/core";
import type { Work } from "./http/work.js";
import type { Metrics } from "./metrics/metrics.js";
import type { RunStore } from "./runs/run-store.js";
import type { ServerSettings } from "./settings.js";

/** What the routes of one server share. */
export interface Service {
  readonly router: Router;
  readonly settings: ServerSettings;
  readonly work: Work;
  readonly runs: RunStore;
  readonly metrics: Metrics;
}
