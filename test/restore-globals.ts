import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { afterAll, vi } from "vitest";

// The test files of a package share one process: what a file set for the process ends with the file.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  trace.disable();
  context.disable();
  propagation.disable();
  metrics.disable();
});
