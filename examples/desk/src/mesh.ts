import { fileURLToPath } from "node:url";
import { createRouter, type Router } from "@constellation/core";
import { createDocsLibrarian } from "@constellation/librarian-docs";
import { frontDesk } from "./front-desk.js";

const runbooks = (folder: string) =>
  fileURLToPath(new URL(`../../incident/runbooks/${folder}`, import.meta.url));

/** A front desk and two librarians, each over a folder of runbooks of one shop. */
export function createDeskMesh(): Router {
  const router = createRouter({ name: "desk", entry: "front-desk", timeoutMs: 10_000 });
  router.register({
    id: "front-desk",
    name: "Front desk",
    description: "Reads a question and passes its parts to those who can answer them.",
    delegatesTo: ["deploy-docs", "network-docs"],
    librarian: frontDesk,
  });
  router.register(
    createDocsLibrarian({
      id: "deploy-docs",
      name: "Deploy runbooks",
      description:
        "Releases of checkout and the pods that run them: rollout, rollback, OOMKilled and memory, crash loops, probes, images, migrations, feature flags, configuration, secrets, autoscaling.",
      domain: "releases of checkout and the pods that run them",
      capabilities: ["docs.deploy"],
      examples: [
        "How do I roll back a release?",
        "Why does the pod restart?",
        "How do I rotate the database password?",
      ],
      delegatesTo: [],
      root: runbooks("deploy"),
    }),
  );
  router.register(
    createDocsLibrarian({
      id: "network-docs",
      name: "Network runbooks",
      description:
        "How requests reach checkout and what it calls: DNS, TLS certificates, ingress, timeouts, status 502, 503 and 504, keep-alive, connection pools of the database, network policies, load balancer, payment provider.",
      domain: "how requests reach checkout and what it calls",
      capabilities: ["docs.network"],
      examples: ["Which timeout is behind a 504?", "Why does a name not resolve?"],
      delegatesTo: [],
      root: runbooks("network"),
    }),
  );
  return router;
}
