import { describe, expect, it } from "vitest";
import { startTelemetry } from "./telemetry.js";

describe("the options of startTelemetry", () => {
  it.each<[string, unknown, ErrorConstructor, RegExp]>([
    ["options", null, TypeError, /options: .*null/],
    ["options", "desk", TypeError, /options: .*"desk"/],
    ["an unknown key", { servicename: "desk" }, TypeError, /"servicename".*serviceName/],
    ["serviceName", { serviceName: "" }, RangeError, /serviceName: .*""/],
    ["serviceName", { serviceName: 7 }, TypeError, /serviceName: .*7/],
    ["serviceVersion", { serviceVersion: false }, TypeError, /serviceVersion: .*false/],
    ["endpoint", { endpoint: 4318 }, TypeError, /endpoint: .*4318/],
    ["endpoint", { endpoint: "localhost:4318" }, RangeError, /endpoint: .*"localhost:4318"/],
    ["endpoint", { endpoint: "grpc://x" }, RangeError, /endpoint: .*"grpc:\/\/x"/],
    ["headers", { headers: ["a"] }, TypeError, /headers: .*array of 1/],
    [
      "headers",
      { headers: { "x y": "1" } },
      RangeError,
      /headers.*x y: expected the name of a header/,
    ],
    ["headers", { headers: { x: 1 } }, TypeError, /headers\.x: expected text, got 1/],
    ["headers", { headers: { x: "hunter2\n" } }, RangeError, /headers\.x: expected characters/],
    [
      "resourceAttributes",
      { resourceAttributes: { a: {} } },
      TypeError,
      /resourceAttributes\.a: .*object/,
    ],
    ["sampleRatio", { sampleRatio: "1" }, TypeError, /sampleRatio: .*"1"/],
    ["sampleRatio", { sampleRatio: 1.1 }, RangeError, /sampleRatio: .*1\.1/],
    ["sampleRatio", { sampleRatio: Number.NaN }, RangeError, /sampleRatio: .*NaN/],
    ["tracesIntervalMs", { tracesIntervalMs: 0 }, RangeError, /tracesIntervalMs: .* 0/],
    ["metricsIntervalMs", { metricsIntervalMs: "5s" }, TypeError, /metricsIntervalMs: .*"5s"/],
    ["sendTimeoutMs", { sendTimeoutMs: Infinity }, RangeError, /sendTimeoutMs: .*Infinity/],
    ["exitTimeoutMs", { exitTimeoutMs: -1 }, RangeError, /exitTimeoutMs: .*-1/],
    ["flushOnExit", { flushOnExit: 1 }, TypeError, /flushOnExit: .*1/],
  ])("are refused at once where %s is wrong: %j", (_key, options, kind, message) => {
    const start = () => startTelemetry(options as never);

    expect(start).toThrow(kind);
    expect(start).toThrow(message);
    expect(start).not.toThrow(/hunter2/);
  });

  it("of flush and shutdown are refused too", async () => {
    const telemetry = await startTelemetry({ onWarning() {} });

    expect(() => telemetry.flush({ timeoutMs: 0 })).toThrow(RangeError);
    expect(() => telemetry.shutdown({ timeout: 1 } as never)).toThrow(/"timeout"/);
    await telemetry.shutdown();
  });
});
