import { itEndsLikeARemoteClient } from "./endings.js";
import { itFailsLikeARemoteClient } from "./failures.js";
import type { RemoteClientSuiteOptions } from "./fixture.js";
import { itChoosesModelsLikeARemoteClient } from "./models.js";
import { itRepliesLikeARemoteClient } from "./replies.js";
import { itTracesLikeARemoteClient } from "./traces.js";

/** Registers the tests that every client of a service must pass, against a server that plays it. */
export function itBehavesLikeARemoteClient(options: RemoteClientSuiteOptions): void {
  itRepliesLikeARemoteClient(options);
  itChoosesModelsLikeARemoteClient(options);
  itEndsLikeARemoteClient(options);
  itFailsLikeARemoteClient(options);
  itTracesLikeARemoteClient(options);
}
