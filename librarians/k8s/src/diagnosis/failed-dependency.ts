import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { Evidence } from "./evidence.js";

/** What lies behind a failed call. */
export interface Dependency {
  /** One clause for the summary. */
  readonly text: string;
  readonly evidence: readonly Evidence[];
  /** The Service that was called, and the pods behind it. */
  readonly service: KubernetesObject | undefined;
  readonly pods: readonly KubernetesObject[];
  /** Policies that block the call. */
  readonly policies: readonly KubernetesObject[];
  /** True when the call needs the cluster's DNS, and its answer did not come. */
  readonly isDns: boolean;
}
