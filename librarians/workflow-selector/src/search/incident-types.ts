import type { Workflow } from "../catalog/workflow.js";
import type { CheckedQuery } from "./query.js";

/**
 * Whether an entry is made for the signal of a query. An entry that names no signals is made for all of them, and a
 * query in words names none: only a name such as `OOMKilled` or `KubePodCrashLooping` filters.
 */
export function isMadeFor({ incidentTypes }: Workflow, query: CheckedQuery): boolean {
  const signal = readSignalName(query);
  if (incidentTypes === undefined || signal === "") return true;
  return incidentTypes.some((type) => type === "*" || type.trim().toLowerCase() === signal);
}

/** The name of a signal in lower case, without a severity after it; blank for a sentence. */
function readSignalName({ incident_type = "", observed }: CheckedQuery): string {
  const words = incident_type.trim().toLowerCase().split(/\s+/);
  const hasSeverity = words.length === 2 && words[1] === observed?.severity?.toLowerCase();
  return words.length === 1 || hasSeverity ? (words[0] ?? "") : "";
}
