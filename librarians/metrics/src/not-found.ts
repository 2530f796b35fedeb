import { MeshError } from "@constellation/core";
import { sanitizeText } from "@constellation/core/authoring";
import type { SubjectSearch } from "./question/subject.js";

/** `NOT_FOUND`, `out-of-domain`: names some workloads that can be asked about. */
export function unknownWorkload({ known }: SubjectSearch): MeshError {
  const names = known.map(shortened).join(", ");
  return new MeshError("NOT_FOUND", "The question names no workload, metric or alert known here.", {
    reason: "out-of-domain",
    suggestion:
      names === ""
        ? "No series names a workload; check what Prometheus scrapes."
        : `Name a workload, such as: ${names}.`,
  });
}

/** `NOT_FOUND`, `no-information`. */
export function noInformation(message: string): MeshError {
  return new MeshError("NOT_FOUND", message, {
    reason: "no-information",
    suggestion: "Ask about another time, or check that it is scraped: which targets are down?",
  });
}

/** Text of others on one line, for a message. */
export function shortened(text: string): string {
  return sanitizeText(text, { singleLine: true, maxLength: 120 });
}
