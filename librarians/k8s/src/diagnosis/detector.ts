import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "./cluster-view.js";
import type { ContainerState } from "./container-state.js";
import type { Draft } from "./finding.js";
import type { SignalType } from "./signal-type.js";

/** What of the question a detector may go by. */
export interface Interest {
  /** Signal types the question's own words name, and how many of them do. */
  readonly signals: ReadonlyMap<SignalType, number>;
  /** True when it asks what happened, not only what is. */
  readonly history: boolean;
}

/** What a detector saw of the object that it looked at; or of another one, which it then names. */
export type Sightings = Draft | readonly Draft[] | undefined;

/** Looks at one object for one condition. */
export type Detector = (
  object: KubernetesObject,
  view: ClusterView,
  interest: Interest,
) => Sightings;

/** Looks at one container of a pod for one condition. */
export type ContainerDetector = (
  container: ContainerState,
  pod: KubernetesObject,
  view: ClusterView,
  interest: Interest,
) => Draft | undefined;

/** How long after a failure a container that runs again is not taken to be well, in milliseconds. */
export const recentMs = 3_600_000;
