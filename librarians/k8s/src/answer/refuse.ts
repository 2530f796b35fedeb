import type { Response } from "@constellation/core";
import type { Refusal } from "../question/request.js";

const texts: Readonly<Record<Refusal, string>> = {
  change:
    "**This librarian only reads: it changes nothing in a cluster.** Ask what is wrong with a workload, and it names what to check; the change itself is yours, with `kubectl` or your deployment tool.",
  secret:
    "**Secrets are not read, by design: this librarian never reads or shows what is in one.** It reports where a Secret is named and what the kubelet says about it. To look into one yourself, use `kubectl get secret` with your own rights.",
};

/** The answer to what cannot be asked of a librarian that only reads. */
export function refuse(refusal: Refusal): Response {
  return {
    answer: texts[refusal],
    confidence: 0.85,
    sources: [{ name: "rights of this librarian", type: "policy" }],
    metadata: { facts: [], refused: refusal },
  };
}
