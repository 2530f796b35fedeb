import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { type ContainerState, containersOf } from "../container-state.js";
import type { Detector, Interest } from "../detector.js";
import type { Finding } from "../finding.js";
import { containerConfig } from "./container-config.js";
import { crashLoop } from "./crash-loop.js";
import { exited } from "./exited.js";
import { imagePull } from "./image-pull.js";
import { oomKilled } from "./oom-killed.js";

/** Looks at one container of a pod. The first that finds something decides. */
export type ContainerDetector = (
  container: ContainerState,
  pod: KubernetesObject,
  view: ClusterView,
  interest: Interest,
) => Finding | undefined;

/** Causes before what they look like: a killed container also waits in CrashLoopBackOff. */
const inOrder: readonly ContainerDetector[] = [
  oomKilled,
  imagePull,
  containerConfig,
  crashLoop,
  exited,
];

/** What is wrong with a pod's containers: for each one, the first of these conditions that it has. */
export const containers: Detector = (pod, view, interest) => {
  const isDone = textAt(pod, "status", "phase") === "Succeeded";
  const detectors = isDone ? [oomKilled] : inOrder;
  return containersOf(pod).flatMap((container) => {
    for (const detect of detectors) {
      const found = detect(container, pod, view, interest);
      if (found !== undefined) return [found];
    }
    return [];
  });
};
