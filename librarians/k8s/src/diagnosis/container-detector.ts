import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "./cluster-view.js";
import type { ContainerState } from "./container-state.js";
import type { Interest } from "./detector.js";
import type { Finding } from "./finding.js";

/** Looks at one container of a pod. The first that finds something decides. */
export type ContainerDetector = (
  container: ContainerState,
  pod: KubernetesObject,
  view: ClusterView,
  interest: Interest,
) => Finding | undefined;
