import type { Delegate } from "@constellation/core";

/** The four librarians of the eval, as their packages and the people who run them describe them. */
export const delegates: readonly Delegate[] = [
  {
    id: "k8s",
    name: "Kubernetes",
    description:
      "Reads a Kubernetes cluster, live or from a snapshot, and says what is wrong and why: pods, containers, deployments, rollouts, jobs, nodes, services, ingresses, volumes, quotas, events and logs.",
    capabilities: [
      "kubernetes.facts",
      "kubernetes.pods",
      "kubernetes.workloads",
      "kubernetes.nodes",
      "kubernetes.network",
      "kubernetes.storage",
      "kubernetes.events",
      "kubernetes.logs",
    ],
    examples: [
      "Which pods are crashing or unhealthy in namespace shop?",
      "Why was the container of checkout OOMKilled?",
      "Why does this pod stay pending? Can it be scheduled?",
      "Is every node ready, or is one under memory or disk pressure?",
      "Why is the rollout of the deployment stuck, with replicas unavailable?",
      "Show the warning events and the last log lines before the restart.",
      "Does the service have endpoints? Which readiness or liveness probes fail?",
      "Which persistent volume claims (PVC) are not bound? Who was evicted?",
      "ImagePullBackOff, ErrImagePull or CrashLoopBackOff: what is the cause?",
    ],
  },
  {
    id: "docs",
    name: "Documentation",
    description:
      "Answers from the platform's documentation: runbooks, guides, handbook and reference pages, citing page and heading. Procedures, configuration, architecture, releases, backups, certificates, alerts and on-call.",
    capabilities: ["docs.runbooks", "docs.guides", "docs.reference"],
    examples: [
      "How do I roll back a release?",
      "What does the runbook say about high latency?",
      "What are the steps to restore a backup of the database?",
      "How do I renew or rotate a TLS certificate?",
      "Which settings and options does the gateway have, and what are their defaults?",
      "How do I configure an alert rule? How is monitoring set up?",
      "Where is the on-call and escalation policy documented?",
      "How do I install, upgrade or migrate a service?",
      "Explain the architecture of the ingestion service.",
    ],
  },
  {
    id: "workflow-selector",
    name: "Workflow selector",
    description:
      "Picks the remediation workflow from the catalog that fits an incident or alert, fills in its parameters, and says how sure it is and whether a human must approve.",
    capabilities: ["workflow.selection", "workflow.parameters", "incident.remediation"],
    examples: [
      "Which workflow should run for a pod that was OOMKilled?",
      "Select a remediation for CrashLoopBackOff in namespace shop.",
      "Which playbook of the catalog fixes a full volume?",
      "Recommend an automated fix for this alert, with its parameters.",
      "Does the rollback workflow need approval?",
      "What would remediate a node under disk pressure?",
    ],
  },
  {
    id: "rag-advisory",
    name: "Property advisory",
    description:
      "Advises on residential property in India, the United States and the United Kingdom from retrieved market data: location insights, price trends, market conditions, risk signals and a valuation range from comparable sales.",
    capabilities: ["property.valuation", "property.market", "property.risk"],
    examples: [
      "What is a fair price for a 2BHK flat in Pune?",
      "How are house prices and rents developing in London?",
      "Estimate the value of a three-bedroom home in Austin from comparable properties.",
      "Which legal or regulatory risks are there when buying an apartment in Bengaluru?",
      "What are supply and demand in the housing market of Manchester?",
      "Is the asking price of this real estate listing reasonable?",
    ],
  },
];
