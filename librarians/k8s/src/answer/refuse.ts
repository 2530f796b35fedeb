import type { Response } from "@constellation/core";
import type { Refusal } from "../question/request.js";

const texts: Readonly<Record<Refusal, string>> = {
  change:
    "**This librarian only reads: it changes nothing in a cluster.** Ask what is wrong with a workload, and it names what to check. Make the change yourself, with `kubectl` or your deployment tool.",
  secret:
    "**This librarian never reads or shows the content of a Secret.** It reports where a Secret is named and what the kubelet says about it. To see the content, use `kubectl get secret` with your own rights.",
};

/** Answers a request that a librarian which only reads must refuse. */
export function refuse(refusal: Refusal): Response {
  return {
    answer: texts[refusal],
    confidence: 0.85,
    sources: [{ name: "rights of this librarian", type: "policy" }],
    metadata: { facts: [], refused: refusal },
  };
}
