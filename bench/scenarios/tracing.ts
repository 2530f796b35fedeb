import { trace } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import { constellation } from "../baselines/constellation.js";
import { createLean } from "../baselines/lean.js";
import { meshVariant } from "../baselines/mesh-variant.js";
import { createMoleculer } from "../baselines/moleculer.js";
import { createPlain } from "../baselines/plain.js";
import { createSpansOnly } from "../baselines/spans-only.js";
import { microsecondsPerPart, prepare, release } from "../measure.js";
import type { Scenario } from "./scenario.js";

const delegations = 3;

/** Takes spans and drops them. */
const nowhere: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
};

/**
 * A chain of 3 with the SDK registered. The router is measured before that too, in the same
 * process: the difference is what the spans cost.
 */
export function tracingScenario(mode: "on" | "sampled-out"): Scenario {
  const isOn = mode === "on";
  const name = isOn ? "tracing" : "tracing-sampled-out";
  return {
    name,
    title: isOn ? "chain of 3, tracing on" : "chain of 3, tracing on, sampled out",
    async measure({ core, effort }) {
      const without = await prepare([constellation(core, "constellation, no SDK")], (each) =>
        each.chain({ delegations }),
      );
      const untraced = await microsecondsPerPart(without, delegations, effort);
      await release(without);

      const processor = new BatchSpanProcessor(nowhere, {
        maxQueueSize: 1_000_000,
        scheduledDelayMillis: 2_147_483_647, // only when it is flushed, below
      });
      const provider = new NodeTracerProvider({
        sampler: isOn ? new AlwaysOnSampler() : new AlwaysOffSampler(),
        spanProcessors: [processor],
      });
      provider.register();
      const tracer = trace.getTracer("bench");

      const candidates = await prepare(
        [
          meshVariant("plain", () => createPlain({ tracer })),
          meshVariant("lean", () => createLean({ tracer })),
          ...(isOn
            ? [createMoleculer("moleculer", { tracing: { enabled: true, exporter: [] } })]
            : []),
          constellation(core),
          ...(isOn ? [createSpansOnly(tracer)] : []),
        ],
        (each) => each.chain({ delegations }),
      );
      const samples = await microsecondsPerPart(candidates, delegations, effort, () =>
        processor.forceFlush(),
      );
      await release(candidates);
      await provider.shutdown();
      return [{ name, unit: "µs per delegation", samples: { ...samples, ...untraced } }];
    },
  };
}
