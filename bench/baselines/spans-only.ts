import { context, type Span, type Tracer, trace } from "@opentelemetry/api";
import type { Variant } from "./variant.js";
import { query } from "./variant.js";

/**
 * The spans that the router has for a chain, with their attributes and events, around functions and
 * without a router: what they cost by themselves.
 */
export function createSpansOnly(tracer: Tracer): Variant {
  return {
    name: "its spans alone",
    chain: ({ delegations }) => ({
      ask: () => ask(tracer, delegations),
      answers: () => ["ok"],
    }),
    fanOut: () => {
      throw new Error("It has chains only.");
    },
  };
}

async function ask(tracer: Tracer, delegations: number): Promise<unknown> {
  const outside = context.active();
  const run = tracer.startSpan("invoke_workflow mesh", { attributes: runAttributes }, outside);
  let within = trace.setSpan(outside, run);
  const open: Span[] = [];
  for (let depth = 0; depth <= delegations; depth++) {
    const to = `l${depth}`;
    const attributes = hopAttributes(to, depth);
    const span = tracer.startSpan(`invoke_agent ${to}`, { attributes }, within);
    within = trace.setSpan(within, span);
    open.push(span);
    if (depth > 0) span.addEvent("librarian.delegation", { "librarian.timeout_ms": 30_000 });
    await context.with(within, async () => query);
    const isLast = depth === delegations;
    span.setAttribute("librarian.response.kind", isLast ? "answer" : "delegate");
    if (!isLast) {
      span.addEvent("librarian.responded", { "librarian.delegation.to": [`l${depth + 1}`] });
    }
  }
  for (const span of open.reverse()) span.end();
  run.setAttribute("librarian.stop_reason", "answered");
  run.end();
  return undefined;
}

const runAttributes = {
  "gen_ai.operation.name": "invoke_workflow",
  "gen_ai.workflow.name": "mesh",
  "librarian.run.id": "5f0c2f0e-7d5c-4b53-9a5e-3d1f0a6f3c11",
  "librarian.timeout_ms": 30_000,
};

function hopAttributes(to: string, depth: number) {
  const all = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": to,
    "librarian.id": to,
    "librarian.hop.id": depth + 1,
    "librarian.delegation.depth": depth,
    "librarian.delegation.mode": depth === 0 ? "entry" : "delegate",
    "librarian.attempt": 1,
  };
  return depth === 0 ? all : { ...all, "librarian.delegation.from": `l${depth - 1}` };
}
