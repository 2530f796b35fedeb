/** What the knowledge bases of the benchmark are about, as their owners would configure it. */
const domains: Readonly<Record<string, string>> = {
  argocd: "Argo CD: GitOps continuous delivery for Kubernetes",
  fastify: "Fastify, the web framework for Node.js",
  prometheus: "Prometheus: monitoring, metrics, alerting and PromQL",
};

/** The domain of a knowledge base; of an unknown one its name. */
export function domainOf(knowledgeBase: string): string {
  return domains[knowledgeBase] ?? knowledgeBase;
}
