export type { Fact } from "./answer/facts.js";
export type {
  ClusterEvent,
  ClusterReader,
  GetResult,
  Identity,
  InvolvedObject,
  KubernetesObject,
  ListOptions,
  ListResult,
  LogOptions,
  LogResult,
  ObjectMetadata,
  OwnerReference,
  ReadOptions,
  ReadProblem,
  ReadProblemCode,
  Usage,
} from "./cluster/cluster-reader.js";
export { createInMemoryReader, type InMemoryClusterOptions } from "./cluster/in-memory-reader.js";
export { type Kind, type KindName, kinds } from "./cluster/kinds.js";
export { type ReadLimits, restrictReader } from "./cluster/restricted-reader.js";
export type { ReadSubject } from "./cluster/stored-reader.js";
export { type Severity, type SignalType, signalTypes } from "./diagnosis/signal-type.js";
export {
  createK8sLibrarian,
  createK8sLibrarian as createLibrarian,
} from "./k8s-librarian.js";
export { createLiveReader } from "./live/live-reader.js";
export type { LiveReaderOptions } from "./live/options.js";
export { type K8sLibrarianOptions, k8sLibrarianDefaults, optionsSchema } from "./options.js";
export { openSnapshot } from "./snapshot/open-snapshot.js";
export type { SnapshotLimits, SnapshotOptions } from "./snapshot/options.js";
