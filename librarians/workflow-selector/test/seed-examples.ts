/** The expected responses of the contract's Examples 1 and 2, as printed there: the last brace is missing. */
export const printedExamples = [
  `{
  "analysis_summary": "Deployment my-app in production namespace experiencing OOMKilled events. Node worker-2 shows 95% memory pressure. Recommend scaling down to reduce memory pressure.",
  "root_cause_assessment": "Node memory exhaustion due to multiple pods on worker-2. Application can tolerate reduced capacity.",
  "strategies": [
    {
      "workflow_id": "oomkill-scale-down",
      "version": "1.0.0",
      "confidence": 0.85,
      "rationale": "Node worker-2 is at 95% memory capacity with multiple OOMKilled events. Scaling down my-app from 5 to 3 replicas will reduce memory pressure while maintaining service availability based on current traffic patterns.",
      "estimated_risk": "low",
      "parameters": {
        "TARGET_RESOURCE_KIND": "Deployment",
        "TARGET_RESOURCE_NAME": "my-app",
        "TARGET_NAMESPACE": "production",
        "SCALE_TARGET_REPLICAS": 3
      }
    }
  ],
  "warnings": [
    "Scaling down will reduce capacity by 40%",
    "Monitor traffic patterns after scaling",
    "Consider node memory upgrade if issue persists"
  ],
  "context_used": {
    "cluster_state": "Node worker-2 at 95% memory, 3 pods OOMKilled in last 10 minutes",
    "resource_availability": "Other nodes have capacity, but pod affinity rules restrict placement",
    "blast_radius": "Single deployment, estimated 40% capacity reduction, low customer impact based on current traffic"
}`,
  `{
  "analysis_summary": "Deployment my-app experiencing OOMKilled. Two viable strategies identified.",
  "root_cause_assessment": "Application memory leak combined with insufficient memory limits.",
  "strategies": [
    {
      "workflow_id": "oomkill-increase-memory",
      "version": "1.0.0",
      "confidence": 0.90,
      "rationale": "Memory usage consistently at limit. Application legitimately needs more memory based on workload analysis.",
      "estimated_risk": "low",
      "parameters": {
        "TARGET_RESOURCE_KIND": "Deployment",
        "TARGET_RESOURCE_NAME": "my-app",
        "TARGET_NAMESPACE": "production",
        "MEMORY_LIMIT_NEW": "2Gi"
      }
    },
    {
      "workflow_id": "oomkill-optimize-application",
      "version": "1.0.0",
      "confidence": 0.75,
      "rationale": "Memory leak detected in application logs. Restart may temporarily resolve issue.",
      "estimated_risk": "medium",
      "parameters": {
        "TARGET_RESOURCE_KIND": "Deployment",
        "TARGET_RESOURCE_NAME": "my-app",
        "TARGET_NAMESPACE": "production"
      }
    }
  ],
  "warnings": [
    "Increasing memory is temporary fix if memory leak exists",
    "Application restart will cause brief service interruption"
  ],
  "context_used": {
    "cluster_state": "Cluster healthy, sufficient memory available",
    "resource_availability": "Node has 8Gi available, can accommodate increase",
    "blast_radius": "Single deployment, brief interruption acceptable for P2 service"
}`,
] as const;
