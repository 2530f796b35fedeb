import { attributes, type ErrorInfo, isErrorCode, type Router } from "@constellation/core";
import type { Attributes, Meter } from "@opentelemetry/api";

/**
 * Records the runs of a router: how long runs and hops take, what was refused, abandoned or
 * missing, circuit breakers, and the use of models. Attributes have few values: librarian ids and error codes, never
 * free text.
 *
 * @param recorded - Called after each recording.
 * @returns A function that stops recording.
 *
 * Source: semantic conventions for generative AI, metrics.
 */
export function recordRuns(
  router: Pick<Router, "on">,
  meter: Meter,
  workflowName: string | undefined,
  recorded: () => void,
): () => void {
  const workflows = meter.createHistogram("gen_ai.workflow.duration", {
    ...duration,
    description: "How long runs take",
  });
  const agents = meter.createHistogram("gen_ai.invoke_agent.duration", {
    ...duration,
    description: "How long librarians take",
  });
  const refused = meter.createCounter("librarian.hops.refused", {
    unit: "{hop}",
    description: "Librarians that were not called: loops, limits, unknown ids",
  });
  const abandoned = meter.createCounter("librarian.hops.abandoned", {
    unit: "{hop}",
    description: "Librarians that ignored a cancellation",
  });
  const missing = meter.createCounter("librarian.branches.missing", {
    unit: "{branch}",
    description: "Fan-out branches without an answer",
  });

  const tokens = meter.createCounter("librarian.tokens", {
    unit: "{token}",
    description: "Model tokens that librarians used",
  });
  const cost = meter.createCounter("librarian.cost", {
    unit: "USD",
    description: "US dollars that librarians spent on models whose prices are known",
  });

  const changes = meter.createCounter("librarian.breaker.changes", {
    unit: "{change}",
    description: "Changes of state of the circuit breakers of librarians",
  });
  const open = meter.createGauge("librarian.breaker.open", {
    unit: "1",
    description: "1 while the circuit breaker of a librarian is open, else 0",
  });

  const stops = [
    router.on("breaker:change", ({ to, state }) => {
      const agent = { [attributes.agentName]: to };
      changes.add(1, { ...agent, "librarian.breaker.state": state });
      open.record(state === "open" ? 1 : 0, agent);
      recorded();
    }),
    router.on("model:end", ({ to, usage }) => {
      if (usage === undefined) return;
      const agent = { [attributes.agentName]: to };
      tokens.add(usage.inputTokens, { ...agent, "gen_ai.token.type": "input" });
      tokens.add(usage.outputTokens, { ...agent, "gen_ai.token.type": "output" });
      if (usage.costUsd !== undefined) cost.add(usage.costUsd, agent);
      recorded();
    }),
    router.on("run:end", ({ durationMs, response }) => {
      const values: Attributes = { [attributes.operationName]: "invoke_workflow" };
      if (workflowName !== undefined) values[attributes.workflowName] = workflowName;
      const { answer, error, metadata } = response;
      workflows.record(durationMs / 1_000, {
        ...values,
        ...(answer === undefined && toErrorAttributes(error)),
      });
      for (const { code } of metadata?.missing ?? []) missing.add(1, toErrorType(code));
      recorded();
    }),
    router.on("hop:end", ({ to, durationMs, outcome, error }) => {
      agents.record(durationMs / 1_000, {
        [attributes.operationName]: "invoke_agent",
        [attributes.agentName]: to,
        ...(outcome === "error" && toErrorAttributes(error)),
      });
      recorded();
    }),
    // Without the id of the refused librarian, which a model may have invented.
    router.on("hop:refused", ({ error }) => {
      refused.add(1, toErrorType(error.code));
      recorded();
    }),
    router.on("hop:abandoned", ({ to, reason }) => {
      abandoned.add(1, { [attributes.agentName]: to, [attributes.errorReason]: reason });
      recorded();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Bounds in seconds, as the conventions advise them for the duration of operations. */
const duration = {
  unit: "s",
  advice: {
    explicitBucketBoundaries: [
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ],
  },
};

/** A call that was cancelled has not failed, and neither has a run that waits. */
function toErrorAttributes(error: ErrorInfo | undefined): Attributes {
  if (error === undefined) return {};
  const { code, details } = error;
  const isCancelled = code === "TIMEOUT" && details?.reason === "cancelled";
  return isCancelled || details?.reason === "waiting" ? {} : toErrorType(code);
}

function toErrorType(code: unknown): Attributes {
  return { [attributes.errorType]: isErrorCode(code) ? code : "_OTHER" };
}
