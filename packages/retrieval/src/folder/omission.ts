import { spelledName } from "../markdown/visible-text.js";
import type { Omission, OmissionReason } from "./page-source.js";

const messages: Readonly<Record<OmissionReason, string>> = {
  "too-large": "It is larger than maxFileBytes.",
  "too-many-files": "There are more pages than maxFiles.",
  "too-many-bytes": "The pages together are larger than maxTotalBytes.",
  "too-deep": "It is nested deeper than maxDepth.",
  "outside-root": "It leads outside the folder.",
  "not-a-file": "It is not a regular file.",
  "unsafe-name": "Its name has invisible characters.",
  growing: "It grew while it was being read; the next refresh reads it again.",
  unreadable: "It could not be read.",
  binary: "It is not text.",
};

/** A page that is left out, with the sentence for its reason. */
export function omission(file: string, reason: OmissionReason): Omission {
  return { file: spelledName(file), reason, message: messages[reason] };
}
