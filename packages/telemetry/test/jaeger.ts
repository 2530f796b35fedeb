import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { FinishedSpan } from "../../core/test/span-tree.js";
import { freePorts } from "../../transport/test/free-ports.js";
import { type OtlpBody, spansOf } from "./otlp-receiver.js";

/** Where `JAEGER_BIN` says that a Jaeger 2 binary is; undefined when it says nothing. */
export const jaegerBinary: string | undefined = process.env.JAEGER_BIN || undefined;

/** A Jaeger of our own, on free ports of this machine, which keeps traces in memory. */
export interface Jaeger {
  /** Takes OTLP over HTTP. */
  readonly collectorUrl: string;
  /** Ids of the traces that Jaeger's search finds for a service. */
  traceIds(service: string): Promise<readonly string[]>;
  /** Every span that Jaeger has of a trace. */
  spans(traceId: string): Promise<readonly FinishedSpan[]>;
  close(): Promise<void>;
}

/** @throws Error with what it printed, when it does not come up within 20 seconds. */
export async function startJaeger(binary: string): Promise<Jaeger> {
  const [otlp = 0, query = 0, grpc = 0] = await freePorts(3);
  const config = JSON.stringify(configOf(otlp, query, grpc)); // JSON is YAML
  const child = spawn(binary, ["--config", `yaml:${config}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const close = () => end(child);
  const queryUrl = `http://127.0.0.1:${query}`;
  try {
    await untilUp(child, `${queryUrl}/api/v3/services`);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    collectorUrl: `http://127.0.0.1:${otlp}`,
    async traceIds(service) {
      const day = 86_400_000;
      const query = new URLSearchParams({
        "query.service_name": service,
        "query.start_time_min": new Date(Date.now() - day).toISOString(),
        "query.start_time_max": new Date(Date.now() + day).toISOString(),
      });
      const { result }: { result: OtlpBody } = await getJson(`${queryUrl}/api/v3/traces?${query}`);
      return [...new Set(spansOf(result).map(({ traceId }) => traceId))];
    },
    async spans(traceId) {
      const { result }: { result: OtlpBody } = await getJson(
        `${queryUrl}/api/v3/traces/${traceId}`,
      );
      return spansOf(result);
    },
    close,
  };
}

function configOf(otlp: number, query: number, grpc: number) {
  return {
    service: {
      extensions: ["jaeger_storage", "jaeger_query"],
      pipelines: { traces: { receivers: ["otlp"], exporters: ["jaeger_storage_exporter"] } },
      telemetry: { metrics: { level: "none" }, logs: { level: "warn" } },
    },
    extensions: {
      jaeger_storage: { backends: { memory: { memory: { max_traces: 1_000 } } } },
      jaeger_query: {
        storage: { traces: "memory" },
        http: { endpoint: `127.0.0.1:${query}` },
        grpc: { endpoint: `127.0.0.1:${grpc}` },
      },
    },
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${otlp}` } } } },
    exporters: { jaeger_storage_exporter: { trace_storage: "memory" } },
  };
}

async function untilUp(child: ChildProcess, url: string): Promise<void> {
  let printed = "";
  let failure: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed = `${printed}${chunk}`.slice(-4_000);
    });
  }
  child.once("error", (error) => {
    failure = error;
  });
  for (let tries = 0; tries < 200; tries++) {
    await sleep(100);
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null) throw new Error(`Jaeger ended by itself:\n${printed}`);
    if (await isUp(url)) return;
  }
  throw new Error(`Jaeger did not come up:\n${printed}`);
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false; // no one listens yet
  }
}

async function getJson<Body>(url: string): Promise<Body> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return (await response.json()) as Body; // what Jaeger's API gives; the tests say whether it does
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL"); // all it has is in memory
  await ended;
}
