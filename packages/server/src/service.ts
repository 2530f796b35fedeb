import type { Router } from "@constellation/core";
import type { OriginOf } from "./http/origin.js";
import type { Work } from "./http/work.js";
import type { Webhooks } from "./journal/webhooks.js";
import type { Metrics } from "./metrics.js";
import type { RunStore } from "./runs/run-store.js";
import type { ServerSettings } from "./settings.js";

/** State shared by the routes of one server. */
export interface Service {
  readonly router: Router;
  readonly settings: ServerSettings;
  readonly originOf: OriginOf;
  readonly work: Work;
  readonly runs: RunStore;
  readonly metrics: Metrics;
  /** Absent without webhooks. */
  readonly webhooks: Webhooks | undefined;
}
