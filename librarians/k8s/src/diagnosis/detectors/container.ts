import { textAt } from "../../cluster/fields.js";
import type { ContainerDetector } from "../container-detector.js";
import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { containerConfig } from "./container-config.js";
import { crashLoop } from "./crash-loop.js";
import { exited } from "./exited.js";
import { imagePull } from "./image-pull.js";
import { nodeLoss } from "./node-loss.js";
import { oomKilled } from "./oom-killed.js";

/** Causes before what they look like: a killed container also waits in CrashLoopBackOff. */
const inOrder: readonly ContainerDetector[] = [
  oomKilled,
  nodeLoss,
  imagePull,
  containerConfig,
  crashLoop,
  exited,
];

/** What is wrong with a pod's containers: for each one, the first of these conditions that it has. */
export const containers: Detector = (pod, view, interest) => {
  const isDone = textAt(pod, "status", "phase") === "Succeeded";
  const detectors = isDone ? [oomKilled] : inOrder;
  return readContainers(pod).flatMap((container) => {
    for (const detect of detectors) {
      const found = detect(container, pod, view, interest);
      if (found !== undefined) return [found];
    }
    return [];
  });
};
