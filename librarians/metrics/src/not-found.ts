import { sanitizeText } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import type { SubjectSearch } from "./question/subject.js";

/** Creates the error `NOT_FOUND`, `out-of-domain`, which lists some known workloads. */
export function unknownWorkload({ known }: SubjectSearch): MeshError {
  const names = known.map(shortened).join(", ");
  return new MeshError(
    "NOT_FOUND",
    "The question does not name a known workload, metric or alert.",
    {
      reason: "out-of-domain",
      suggestion:
        names === ""
          ? "No series has a workload label. Check what Prometheus scrapes."
          : `Name a workload, such as: ${names}.`,
    },
  );
}

/** Creates the error `NOT_FOUND`, `no-information`. */
export function noInformation(message: string): MeshError {
  return new MeshError("NOT_FOUND", message, {
    reason: "no-information",
    suggestion:
      "Ask about another time, or check that the target is scraped by asking: which targets are down?",
  });
}

/** Puts an untrusted text on one line, for a message. */
export function shortened(text: string): string {
  return sanitizeText(text, { singleLine: true, maxLength: 120 });
}
