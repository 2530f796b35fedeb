import { isKindName, kindOf } from "./kinds.js";

/** Words for what was asked for: `pods in shop`, `nodes`, `events`. */
export function subjectOf(what: string, namespace?: string): string {
  const plain = isKindName(what) ? kindOf(what).plural : what === "Event" ? "events" : what;
  return namespace === undefined ? plain : `${plain} in ${namespace}`;
}
