/*
 * Metrics of a small shop, as Prometheus' text format for backfilling: six hours, a sample a minute.
 * checkout is killed for lack of memory from 08:05 on; the others are well.
 */

/** Now of the shop: the moment of the incident's cluster snapshot. */
export const shopNow = Date.parse("2026-11-20T09:41:00Z");
const incident = Date.parse("2026-11-20T08:05:00Z");
const stepMs = 60_000;
const lengthMs = 7 * 3_600_000;

interface Workload {
  readonly app: string;
  readonly pods: readonly string[];
  readonly requestsPerSecond: number;
  readonly memoryLimit: number;
  readonly fails: boolean;
}

const mebibyte = 1024 * 1024;
const workloads: readonly Workload[] = [
  {
    app: "checkout",
    pods: ["checkout-jpfw5dxczj-6cs74", "checkout-jpfw5dxczj-hzftc", "checkout-jpfw5dxczj-mvtn6"],
    requestsPerSecond: 42,
    memoryLimit: 512 * mebibyte,
    fails: true,
  },
  {
    app: "cart",
    pods: ["cart-pgwwgbb862-rj9jb", "cart-pgwwgbb862-vr9vg"],
    requestsPerSecond: 60,
    memoryLimit: 256 * mebibyte,
    fails: false,
  },
  {
    app: "storefront",
    pods: ["storefront-49kh5rvqnr-7hl7g", "storefront-49kh5rvqnr-hrdlb"],
    requestsPerSecond: 120,
    memoryLimit: 256 * mebibyte,
    fails: false,
  },
  {
    app: "catalog",
    pods: ["catalog-5hvbjvpg5w-2kz88", "catalog-5hvbjvpg5w-j5zps"],
    requestsPerSecond: 90,
    memoryLimit: 512 * mebibyte,
    fails: false,
  },
  {
    app: "payments",
    pods: ["payments-jlc7fvswb7-sgrfq", "payments-jlc7fvswb7-vzvj5"],
    requestsPerSecond: 12,
    memoryLimit: 256 * mebibyte,
    fails: false,
  },
];

/** Upper bounds of the latency buckets, in seconds, and the share of requests below each. */
const quick = { "0.1": 0.7, "0.25": 0.97, "0.5": 0.995, "1": 1, "2.5": 1, "5": 1 };
const slow = { "0.1": 0.1, "0.25": 0.2, "0.5": 0.35, "1": 0.55, "2.5": 0.9, "5": 0.99 };

/** The shop's series as OpenMetrics text, to be made into blocks with `promtool tsdb create-blocks-from openmetrics`. */
export function shopMetrics(): string {
  const series = new Map<string, string[]>();
  const add = (
    name: string,
    labels: Readonly<Record<string, string>>,
    at: number,
    value: number,
  ) => {
    const text = Object.entries(labels)
      .map(([label, of]) => `${label}="${of}"`)
      .join(",");
    const line = `${name}{${text}} ${value} ${at / 1_000}`;
    const lines = series.get(name);
    if (lines === undefined) series.set(name, [line]);
    else lines.push(line);
  };
  for (const workload of workloads) {
    for (const pod of workload.pods) addPod(workload, pod, add);
  }
  const types: Readonly<Record<string, string>> = {
    http_server_request_duration_seconds_bucket: "http_server_request_duration_seconds histogram",
  };
  const bodies = [...series].map(([name, lines]) => {
    const type = types[name];
    return `${type === undefined ? "" : `# TYPE ${type}\n`}${lines.join("\n")}`;
  });
  return `${bodies.join("\n")}\n# EOF\n`;
}

function addPod(
  { app, pods, requestsPerSecond, memoryLimit, fails }: Workload,
  pod: string,
  add: (name: string, labels: Record<string, string>, at: number, value: number) => void,
): void {
  const request = { namespace: "production", app, pod, job: app };
  const container = { namespace: "production", pod, container: "web" };
  const counts = new Map<string, number>();
  const grow = (key: string, by: number) => {
    const value = (counts.get(key) ?? 0) + by;
    counts.set(key, value);
    return value;
  };
  for (let at = shopNow - lengthMs; at <= shopNow; at += stepMs) {
    const minute = (at - shopNow) / stepMs;
    const bad = fails && at >= incident;
    // A slow wave through the day, the same at every run.
    const wave = 1 + 0.08 * Math.sin(minute / 37);
    const requests = (requestsPerSecond / pods.length) * 60 * wave * (bad ? 0.6 : 1);
    const failedShare = bad ? 0.18 : 0.002;
    for (const [code, share] of [
      ["200", 1 - failedShare],
      ["503", failedShare],
    ] as const) {
      const labels = { ...request, http_response_status_code: code };
      const count = requests * share;
      for (const [le, below] of Object.entries(bad ? slow : quick)) {
        const value = grow(`${code} ${le}`, count * below);
        add("http_server_request_duration_seconds_bucket", { ...labels, le }, at, value);
      }
      const all = grow(`${code} +Inf`, count);
      add("http_server_request_duration_seconds_bucket", { ...labels, le: "+Inf" }, at, all);
      add("http_server_request_duration_seconds_count", labels, at, all);
    }
    const used = bad ? 0.97 - 0.05 * Math.abs(minute % 3) : 0.55 + 0.03 * Math.sin(minute / 11);
    add("container_memory_working_set_bytes", container, at, Math.round(memoryLimit * used));
    add(
      "kube_pod_container_resource_limits",
      { ...container, resource: "memory" },
      at,
      memoryLimit,
    );
    add("container_cpu_usage_seconds_total", container, at, grow("cpu", 60 * (bad ? 0.4 : 0.2)));
    const restarts = bad ? Math.floor((at - incident) / (5.5 * 60_000)) : 0;
    add("kube_pod_container_status_restarts_total", container, at, Math.max(0, restarts));
  }
}
