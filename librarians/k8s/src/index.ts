export type {
  ClusterEvent,
  ClusterReader,
  GetResult,
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
export { type Kind, type KindName, kinds } from "./cluster/kinds.js";
