import { getKind, isKindName } from "./kinds.js";

/** Words for what was asked for: `pods in shop`, `nodes`, `events`. */
export function describeSubject(what: string, namespace?: string): string {
  const plain = isKindName(what) ? getKind(what).plural : what === "Event" ? "events" : what;
  return namespace === undefined ? plain : `${plain} in ${namespace}`;
}
