import type { ClusterEvent, KubernetesObject } from "../cluster/cluster-reader.js";
import { idFrom, toObjectId } from "./object-id.js";
import { quote } from "./quote.js";

/** One thing that was read, and where. */
export interface Evidence {
  /** Unique in an answer: `shop/Pod/api-1#status.containerStatuses[0]`, `shop/Event/api-1.17c`, `shop/Pod/api-1/log/web:12`. */
  readonly id: string;
  readonly kind: "object" | "event" | "log";
  /** What stood there; text of others is redacted and cut. */
  readonly text: string;
  /** Epoch milliseconds, where it is known. */
  readonly at?: number | undefined;
}

/** Maximum length of a path: names of containers in it are from the cluster. */
const maxPath = 200;

/** What is in an object, under a path such as `status.phase`. */
export function fieldEvidence(
  object: KubernetesObject,
  path: string,
  text: string,
  at?: number,
): Evidence {
  return {
    id: `${toObjectId(object)}#${quote(path, maxPath)}`,
    kind: "object",
    text: quote(text),
    at,
  };
}

/** What an event says. */
export function eventEvidence(event: ClusterEvent): Evidence {
  const times = event.count > 1 ? ` (${event.count} times)` : "";
  return {
    id: idFrom("Event", event.namespace, event.name),
    kind: "event",
    text: `${quote(event.reason)}${times}: ${quote(event.message)}`,
    at: event.lastSeen,
  };
}
