import type { Workflow } from "../catalog/workflow.js";
import type { CheckedQuery } from "./query.js";
import { isConcept, termsOf } from "./query-terms.js";

/**
 * Whether an entry is made for the signal of a query. An entry that names no signals is made for all of them, and a
 * query in words names none: only a name such as `OOMKilled` or `KubePodCrashLooping` filters.
 */
export function isMadeFor({ incidentTypes }: Workflow, query: CheckedQuery): boolean {
  const signal = signalOf(query);
  if (incidentTypes === undefined || signal === "") return true;
  return incidentTypes.some((type) => type === "*" || type.trim().toLowerCase() === signal);
}

/** The name of a signal in lower case, without a severity after it; blank for a sentence. */
function signalOf({ incident_type = "", observed }: CheckedQuery): string {
  const words = incident_type.trim().toLowerCase().split(/\s+/);
  const hasSeverity = words.length === 2 && words[1] === observed?.severity?.toLowerCase();
  return words.length === 1 || hasSeverity ? (words[0] ?? "") : "";
}

/** Whether an entry's texts name a signal, in all its words. */
export function isMadeForSignal(
  { id, name, description, labels }: Workflow,
  signal: string | undefined,
): boolean {
  const wanted = [...termsOf(signal ?? "")].filter((term) => !isConcept(term));
  const texts = [
    id,
    name,
    description.what,
    description.whenToUse ?? "",
    ...(labels.signal_type ?? []),
  ];
  const own = termsOf(texts.join(" "));
  return wanted.length > 0 && wanted.every((term) => own.has(term));
}
