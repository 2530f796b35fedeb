import { join } from "node:path";
import { loadMesh } from "@constellation/cli";
import type { AIClient, ResponseFields } from "@constellation/core";
import { askRouter, type EvalCase, runEval } from "@constellation/testing/evals";
import { strayClaims } from "./claims.js";
import type { Call, Result } from "./result.js";

/** What a question is asked with. */
export interface Asking {
  /** Folder of the example. */
  readonly example: string;
  /** Texts of all its files, joined. */
  readonly texts: string;
  readonly ai: AIClient;
  /** Name of the model, for the result. */
  readonly model: string;
  /** Time for the question: the mesh divides it, and answers without the model where it runs out. */
  readonly timeoutMs: number;
  readonly onCall: (call: Call) => void;
}

/** Asks a question without the model and with it, and compares the answers. */
export async function askBoth(one: EvalCase, asking: Asking): Promise<Result> {
  const { timeoutMs, model, texts } = asking;
  const without = await askMesh(one, asking, undefined);
  const withModel = await askMesh(one, asking, asking.ai);
  const { calls, outcomes, expectations, text, ms } = withModel;
  const isRight = (each: typeof without) => each.expectations.every(({ passed }) => passed);
  const met = new Set(without.expectations.filter((each) => each.passed).map(({ name }) => name));
  // What librarians observed and answered without a model: its routing may have more of it observed.
  const known = [...without.known, ...withModel.known];
  const isUnused =
    calls.every(({ error }) => error !== undefined) ||
    (outcomes.length > 0 && outcomes.every((outcome) => outcome.includes(": not-used")));
  return {
    id: one.id,
    kind: kindOf(one),
    model,
    timeoutMs,
    ms,
    msWithout: without.ms,
    calls,
    outcomes,
    refused: withModel.isRefused,
    right: isRight(withModel),
    rightWithout: isRight(without),
    turnedAway: without.isAnswered && !withModel.isAnswered,
    // Without a proposal there is nothing to release.
    gatesLost: withModel.isAnswered
      ? without.gates.filter((gate) => !withModel.gates.includes(gate))
      : [],
    worse: expectations
      .filter(({ name, passed }) => !passed && met.has(name))
      .map(({ name, seen }) => `${name}: ${seen}`),
    stray: [...strayClaims(text, [texts, without.text, ...known].join("\n"))],
    // A model that gave nothing leaves the answer whole; a note that it was not used may be added, also to a sentence.
    lost:
      isUnused && !withModel.isRefused
        ? partsOf(without.text).filter((part) => !text.includes(part.replace(/\.$/, "")))
        : [],
  };
}

async function askMesh(one: EvalCase, { example, timeoutMs, onCall }: Asking, ai?: AIClient) {
  const { router } = await loadMesh(join(example, "mesh.yaml"), { env: {} });
  const calls: Call[] = [];
  const outcomes: string[] = [];
  const known: string[] = [];
  let response: ResponseFields = {};
  router.on("model:end", ({ promptId = "?", durationMs, usage, error }) => {
    const call = {
      promptId,
      ms: Math.round(durationMs),
      read: usage?.inputTokens ?? 0,
      written: usage?.outputTokens ?? 0,
      ...(error !== undefined && { error: error.message }),
    };
    calls.push(call);
    onCall(call);
  });
  router.on("hop:end", ({ to, response: given }) => {
    const { model, triage } = (given?.metadata ?? {}) as Metadata;
    const outcome = ai && (outcomeOf(model) ?? routingOf(triage));
    if (outcome !== undefined) outcomes.push(`${to}: ${outcome}`);
    known.push(JSON.stringify(given?.metadata?.facts ?? []));
    const isOwn = outcome === undefined || outcome.startsWith("not-used");
    if (isOwn) known.push(given?.answer ?? "");
  });
  router.on("run:end", (end) => {
    response = end.response;
  });
  const start: typeof router.start = (query, options) =>
    router.start(query, {
      ...options,
      ...(ai !== undefined && { ai }),
      ...(kindOf(one) === "blend" && { merge: "ai-blend" }),
    });
  const { results } = await runEval(askRouter({ start }), [one], { concurrency: 1, timeoutMs });
  await router.close();
  const [result] = results;
  if (result === undefined) throw new Error(`The question ${one.id} has no result.`);
  const text = response.answer ?? response.error?.message ?? "";
  const { expectations, durationMs } = result;
  const { approval } = (response.metadata ?? {}) as Metadata;
  return {
    ...{ calls, outcomes, expectations, text, known, ms: Math.round(durationMs) },
    isAnswered: response.answer !== undefined,
    isRefused: response.error?.details?.reason === "invalid-response",
    gates: Object.entries(approval ?? {}).flatMap(([gate, isSet]) => (isSet === true ? gate : [])),
  };
}

/** What of the mesh a question is for: its tag. */
function kindOf({ tags = [] }: EvalCase): string {
  return tags[0] ?? "";
}

/** What librarians report of a model, and of what people must do. */
interface Metadata {
  readonly approval?: Readonly<Record<string, unknown>>;
  readonly model?: {
    readonly outcome?: string;
    readonly reason?: string;
    readonly attempts?: Readonly<Record<string, number>>;
  };
  readonly triage?: { readonly fallback?: { readonly step: string; readonly reason: string } };
}

function outcomeOf(report: Metadata["model"]): string | undefined {
  if (report?.outcome === undefined) return undefined;
  const { outcome, reason, attempts = {} } = report;
  const isRepaired = outcome === "used" && Object.values(attempts).some((count) => count > 1);
  return [isRepaired ? "repaired" : outcome, reason].filter(Boolean).join(", ");
}

function routingOf(report: Metadata["triage"]): string | undefined {
  if (report === undefined) return undefined;
  const { fallback } = report;
  return fallback === undefined ? "used" : `not-used, ${fallback.reason} in ${fallback.step}`;
}

function partsOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
