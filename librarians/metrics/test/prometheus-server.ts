import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pause } from "@constellation/authoring";
import { freePort } from "../../../packages/transport/test/free-ports.js";

const run = promisify(execFile);

/** Whether `prometheus` and `promtool` are installed. */
export function hasPrometheus(): boolean {
  try {
    execFileSync("prometheus", ["--version"], { stdio: "ignore" });
    execFileSync("promtool", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A running server. */
export interface PrometheusServer {
  readonly url: string;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts a Prometheus server on loopback that holds the given series and rules and scrapes itself and an
 * address where nothing listens.
 */
export async function startPrometheus(openMetrics: string): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), "constellation-prometheus-"));
  const port = await freePort();
  const closed = await freePort();
  const data = join(folder, "data");
  await writeFile(join(folder, "metrics.txt"), openMetrics);
  await run("promtool", [
    "tsdb",
    "create-blocks-from",
    "openmetrics",
    join(folder, "metrics.txt"),
    data,
  ]);
  await writeFile(join(folder, "rules.yml"), rules);
  await writeFile(join(folder, "prometheus.yml"), configOf(port, closed));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${data}`,
      "--storage.tsdb.retention.time=20y",
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    if (child.exitCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url, () => child.exitCode !== null);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { url, close };
}

const rules = `groups:
  - name: always
    interval: 1s
    rules:
      - alert: CheckoutErrorRateHigh
        expr: vector(0.18) > 0.05
        labels: { severity: critical, service: checkout, namespace: production }
        annotations: { summary: "18 % of the requests of checkout fail" }
      - alert: BackupLate
        expr: vector(1) > 0
        for: 10m
        labels: { severity: warning, job: backup }
`;

function configOf(port: number, closed: number): string {
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: prometheus
    static_configs: [{ targets: ["127.0.0.1:${port}"] }]
  - job_name: closed
    static_configs: [{ targets: ["127.0.0.1:${closed}"] }]
`;
}

async function untilReady(url: string, hasExited: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (hasExited()) throw new Error("prometheus exited");
    try {
      const [ready, alerts, targets] = await Promise.all(
        ["-/ready", "api/v1/alerts", "api/v1/targets"].map((path) => fetch(`${url}/${path}`)),
      );
      const texts = [await alerts?.text(), await targets?.text()];
      const [alertsText = "", targetsText = ""] = texts;
      // Each target was scraped once: the server itself is up, the closed address is down.
      const isWarm =
        alertsText.includes('"firing"') &&
        targetsText.includes('"health":"up"') &&
        targetsText.includes('"health":"down"');
      if (ready?.ok === true && isWarm) return;
    } catch {
      // Not listening yet.
    }
    await pause(100);
  }
  throw new Error("prometheus did not become ready within a minute");
}
