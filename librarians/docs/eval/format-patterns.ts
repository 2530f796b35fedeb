import type { NavigatorResponse } from "../src/navigator/navigator-response.js";

/** The five patterns of the format's documentation, as they stand there. For tests. */
export const patternResponses: readonly [NavigatorResponse, ...NavigatorResponse[]] = [
  {
    answer:
      "To rollback a deployment, use 'kubectl rollout undo deployment/<name>' as documented in troubleshooting/rollback-procedures.md. This will revert to the previous revision.",
    sources: [
      {
        file: "troubleshooting/rollback-procedures.md",
        section: "Quick Rollback",
        relevance: "Contains the exact kubectl command and rollback process",
      },
      {
        file: "reference/kubectl-commands.md",
        section: "Deployment Management",
        relevance: "Provides additional context on rollout commands",
      },
    ],
    confidence: "high",
    confidenceReason: "Direct answer found with exact command syntax in two authoritative sources",
    relatedTopics: ["deployment history", "rollout status", "revision management"],
    outOfDomain: false,
  },
  {
    answer:
      "To optimize pod startup time, you can use init containers (mentioned in deployment/init-containers.md) and configure readiness probes appropriately (reference/pod-lifecycle.md). However, the specific optimization strategy depends on your application architecture.",
    sources: [
      {
        file: "deployment/init-containers.md",
        section: "Performance Considerations",
        relevance: "Discusses init container impact on startup time",
      },
      {
        file: "reference/pod-lifecycle.md",
        section: "Readiness Probes",
        relevance: "Explains probe configuration affecting startup",
      },
    ],
    confidence: "medium",
    confidenceReason:
      "Multiple relevant sources but no single comprehensive guide. Answer synthesized from different sections.",
    relatedTopics: [
      "application startup optimization",
      "container image optimization",
      "probe tuning",
    ],
    outOfDomain: false,
  },
  {
    answer:
      "I found references to rate limiting in the API documentation (reference/api-spec.md) but no specific configuration examples. Rate limiting might be configured at the ingress level, but I don't have detailed documentation on this.",
    sources: [
      {
        file: "reference/api-spec.md",
        section: "Rate Limiting",
        relevance: "Mentions that rate limiting exists but lacks configuration details",
      },
    ],
    confidence: "low",
    confidenceReason: "Only found indirect references without configuration details or examples",
    relatedTopics: ["ingress configuration", "API gateway settings"],
    outOfDomain: false,
  },
  {
    answer:
      "I don't have information about database migration procedures in my knowledge base. My documentation focuses on Kubernetes operations and deployments.",
    sources: [],
    confidence: "high",
    confidenceReason:
      "Thoroughly searched knowledge base with no relevant results. High confidence in the absence of information.",
    relatedTopics: [],
    outOfDomain: false,
  },
  {
    answer:
      "This question is about AWS IAM policies, which is outside my domain. I specialize in Kubernetes operations. You might want to consult the AWS navigator or the security team for IAM-related questions.",
    sources: [],
    confidence: "high",
    confidenceReason: "Question clearly outside my configured knowledge domain (Kubernetes ops)",
    relatedTopics: ["AWS navigator", "security team contact"],
    outOfDomain: true,
  },
];

/** The example of the format's documentation for a question out of domain. */
export const outOfDomainExample: NavigatorResponse = {
  answer:
    "This question is about database indexing, which is outside my domain. I specialize in Kubernetes operations. You might want to consult the database team or a database-specific navigator.",
  sources: [],
  confidence: "high",
  confidenceReason: "Question clearly outside configured domain",
  relatedTopics: ["database team contact"],
  outOfDomain: true,
};

/** Pages that hold what the patterns cite. */
export const patternPages: Readonly<Record<string, string>> = {
  "troubleshooting/rollback-procedures.md":
    "# Rollback procedures\n\n## Quick Rollback\n\nTo roll back a deployment, run:\n\n```sh\nkubectl rollout undo deployment/<name>\n```\n\nThis reverts it to the previous revision.\n",
  "reference/kubectl-commands.md":
    "# kubectl commands\n\n## Deployment Management\n\n`kubectl rollout status deployment/<name>` documents how far a rollout is.\n",
  "deployment/init-containers.md":
    "# Init containers\n\n## Performance Considerations\n\nInit containers run before the application and delay its startup time. Optimize what they do; which strategy is best depends on the architecture of the application.\n",
  "reference/pod-lifecycle.md":
    "# Pod lifecycle\n\n## Readiness Probes\n\nConfigure readiness probes so that a pod gets traffic only when it is ready.\n",
  "reference/api-spec.md":
    "# API\n\n## Rate Limiting\n\nThe API has rate limiting, configured at the ingress level. References to it are in the documentation of the gateway.\n",
  "troubleshooting/pod-errors.md":
    "# Pod errors\n\n## CrashLoopBackOff Debugging\n\nRun `kubectl logs <pod> --previous` and look at the exit code.\n\n## Access\n\nThe pods take the role arn:aws:iam::123456789012:role/pod-reader.\n",
};
