import { z } from "zod";

const text = z.string().optional();
const texts = z.array(z.string()).optional();
const count = z.number().optional();
const flag = z.boolean().optional();

/** Fields of a fact that a prompt shows, in this order: what a read of objects, events and metrics gives. */
const promptFields = {
  signal_type: z.string(),
  severity: text,
  target_resource: text,
  owner: text,
  owner_reference: text,
  other_resources: texts,
  node: text,
  container: text,
  image: text,
  reason: text,
  phase: text,
  ready: flag,
  waiting_reason: text,
  termination_reason: text,
  exit_code: count,
  restart_count: count,
  is_current: flag,
  memory_limit: text,
  memory_request: text,
  memory_usage: text,
  cpu_limit: text,
  requested: text,
  resource: text,
  replicas_wanted: count,
  replicas_ready: count,
  replicas_available: count,
  min_replicas: count,
  max_replicas: count,
  current_replicas: count,
  desired_replicas: count,
  expected_pods: count,
  failed_pods: count,
  succeeded_pods: count,
  matching_pods: count,
  current_healthy: count,
  desired_healthy: count,
  disruptions_allowed: count,
  backoff_limit: count,
  node_conditions: texts,
  unschedulable: flag,
  scheduling_gates: texts,
  storage_class: text,
  volume_name: text,
  claims: texts,
  config_maps: texts,
  reclaim_policy: text,
  references: texts,
  secret_name: text,
  example_pod: text,
  pod_selector: text,
  selector: text,
  policy_types: texts,
  ready_endpoints: count,
  target_port: z.union([z.string(), z.number()]).optional(),
  backends: texts,
  ingress_class: text,
  scale_target: text,
  schedule: text,
  suspend: flag,
  last_schedule_time: text,
  webhooks: texts,
  failure_policy: text,
  not_after: text,
  issuer: text,
  observed_signal: text,
  last_event: text,
  event_count: count,
  first_seen: text,
  last_seen: text,
  error_message: text,
};

/** Keys of a fact that a prompt shows. */
export const promptKeys: readonly string[] = Object.keys(promptFields);

/**
 * A fact as this librarian reads it from who knows the cluster: what `librarian-k8s` gives in `metadata.facts`. Other keys
 * can fill parameters and meet prerequisites; no prompt shows them.
 */
export const factSchema = z.strictObject({
  ...promptFields,
  /** One sentence of what was read. */
  finding: text,
  namespace: text,
  component: text,
  resource_kind: text,
  resource_name: text,
  kinds_read: texts,
  /** What message and finding name, `Kind/name` each; a key, a taint and a port; and what access control denies. */
  named_objects: texts,
  key: text,
  taint_key: text,
  host_port: text,
  denied_verb: text,
  denied_resource: text,
  /** The node that the volume of a pod is attached to, where that is another one. */
  attached_node: text,
  /** What the object is like: `helmManaged: true`. A key that is absent is not known. */
  detected_labels: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
  caused_by: z.object({ signal_type: z.string(), target_resource: text }).optional(),
  evidence: z.array(z.object({ source: z.string(), text: z.string(), at: text })).optional(),
  environment: text,
  priority: text,
  business_category: text,
  risk_tolerance: text,
  cluster_name: text,
  /** Labels of the object's namespace that state its environment, risk tolerance and the like. */
  namespace_labels: z.record(z.string(), z.string()).optional(),
  signal: z.record(z.string(), z.unknown()).optional(),
});
