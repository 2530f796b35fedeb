import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/bundle.js";
import { treesOfSpans } from "../../core/test/span-tree.js";
import { freePort } from "../../transport/test/free-ports.js";
import { type OtlpReceiver, startReceiver } from "../test/otlp-receiver.js";

let app: string;

beforeAll(async () => {
  app = await bundle(fileURLToPath(new URL("../test/app.ts", import.meta.url)));
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly warnings: string;
  /** From the end of its own work, in milliseconds: when it printed its last line. */
  readonly lingeredMs: number;
}

/** Far more than a process needs to end on a busy machine, and less than {@link foreverMs}. */
const soonMs = 20_000;
/** For a delay that a test does not wait for. */
const foreverMs = 50_000;

interface Setting {
  readonly whenReady?: (child: ChildProcess) => void;
  readonly variables?: Readonly<Record<string, string>>;
  readonly exitTimeoutMs?: number;
}

/** Runs the application, does something when it is ready, and waits for its end. */
function run(
  ending: string,
  collector: string | undefined,
  { whenReady = () => {}, variables = {}, exitTimeoutMs = 2_000 }: Setting = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [app, ending, String(exitTimeoutMs)], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      OTEL_EXPORTER_OTLP_TIMEOUT: String(foreverMs),
      ...variables,
      ...(collector !== undefined && { OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let warnings = "";
  let printedAt = performance.now();
  child.stdout.on("data", (chunk) => {
    output += chunk;
    printedAt = performance.now();
    if (String(chunk).includes("ready")) whenReady(child);
  });
  child.stderr.on("data", (chunk) => {
    warnings += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal, output, warnings, lingeredMs: performance.now() - printedAt });
    });
  });
}

const tell =
  (signal: NodeJS.Signals) =>
  (child: ChildProcess): void => {
    child.kill(signal);
  };

describe("a process with telemetry", () => {
  let collector: OtlpReceiver;

  beforeEach(async () => {
    collector = await startReceiver();
  });
  afterEach(async () => {
    await collector.close();
  });

  const runsReceived = () => treesOfSpans(collector.spans()).length;

  it("ends by itself, and has sent everything", async () => {
    const { code, output, warnings } = await run("by-itself", collector.url);

    expect({ code, output, warnings }).toEqual({ code: 0, output: "hello\n", warnings: "" });
    expect(runsReceived()).toBe(1);
    expect(collector.points("gen_ai.workflow.duration")).toHaveLength(1);
  });

  it("sends what is recorded after it had nothing left to do once", async () => {
    const { code } = await run("goes-on-in-before-exit", collector.url);

    expect(code).toBe(0);
    expect(runsReceived()).toBe(2);
  });

  it("holds nothing after a shutdown", async () => {
    const { code, output } = await run("after-shutdown", collector.url);

    expect({ code, output }).toEqual({ code: 0, output: "hello\n[]\nready\n" });
    expect(runsReceived()).toBe(1);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "ends by %s as ever, and has sent everything",
    async (signal) => {
      const ended = await run("waits", collector.url, { whenReady: tell(signal) });

      expect(ended).toMatchObject({ code: null, signal });
      expect(runsReceived()).toBe(1);
    },
  );

  it("leaves its end to the application where that listens to the signal itself", async () => {
    const { code, output } = await run("own-handler", collector.url, {
      whenReady: tell("SIGTERM"),
    });

    expect({ code, output }).toEqual({ code: 7, output: "hello\nready\nown handler\n" });
    expect(runsReceived()).toBe(1);
  });

  it("is not among the listeners that others count on a signal", async () => {
    const { code, output } = await run("counts-listeners", collector.url, {
      whenReady: tell("SIGTERM"),
    });

    expect({ code, output }).toEqual({ code: 8, output: "hello\nready\n1\n" });
  });

  it("ends at once by a second signal", async () => {
    let again = () => {};
    const hanging = await startReceiver(() => again()); // what the first signal has sent is there
    const ended = await run("waits", hanging.url, {
      exitTimeoutMs: foreverMs,
      whenReady: (child) => {
        again = () => void child.kill("SIGTERM");
        again();
      },
    });
    await hanging.close();

    expect(ended.signal).toBe("SIGTERM");
    expect(ended.lingeredMs).toBeLessThan(soonMs);
  });

  it("ends without delay where the collector is not there, with one warning", async () => {
    const { code, warnings, lingeredMs } = await run("by-itself", await deadUrl(), {
      exitTimeoutMs: foreverMs,
    });

    expect(code).toBe(0);
    expect(warnings.match(/CONSTELLATION_TELEMETRY/g)).toHaveLength(1);
    expect(lingeredMs).toBeLessThan(soonMs);
  });

  it("ends within exitTimeoutMs where the collector hangs", async () => {
    const hanging = await startReceiver(() => {});
    const { code, warnings, lingeredMs } = await run("by-itself", hanging.url);
    await hanging.close();

    expect(code).toBe(0);
    expect(warnings.match(/did not answer in time/g)).toHaveLength(1);
    expect(lingeredMs).toBeLessThan(soonMs);
  });

  it.each([
    ["hangs", async () => (await startReceiver(() => {})).url],
    ["is not there", deadUrl],
  ])("is not held by a batch on its way to a collector that %s", async (_how, urlOf) => {
    const { code, lingeredMs } = await run("after-a-batch", await urlOf(), {
      variables: { OTEL_BSP_SCHEDULE_DELAY: "1", OTEL_METRICS_EXPORTER: "none" },
    });

    expect(code).toBe(0);
    expect(lingeredMs).toBeLessThan(soonMs); // exitTimeoutMs, not what a batch may take
  });

  it("is as if it had none where no collector is named, but for a warning", async () => {
    const { code, output, warnings } = await run("by-itself", undefined);

    expect({ code, output }).toEqual({ code: 0, output: "hello\n" });
    expect(warnings.match(/CONSTELLATION_TELEMETRY.*Nothing is exported/g)).toHaveLength(1);
  });
});

/** An address of this machine at which nothing listens. */
async function deadUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
