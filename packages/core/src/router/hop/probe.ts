import type {
  AnswerEstimate,
  AnswerEstimates,
  ProbeOptions,
} from "../../contract/answer-estimate.js";
import { checkOptions } from "../../contract/option-checks.js";
import type { OptionTable } from "../../contract/option-table.js";
import { isRecord } from "../../contract/unknown-value.js";
import type { Registration } from "../../registry/registration.js";
import { throwIfAborted } from "../../waits/abort-error.js";
import { withDeadline } from "../../waits/with-deadline.js";
import { signalOf } from "../run/calls.js";
import type { Hop } from "../run/model.js";
import { availableTo } from "./available-delegates.js";

/** Maximum number of librarians that one query probes. */
const maxProbes = 64;
/** Estimates are rounded down to such steps. */
const step = 0.05;
const matchSteps = [50, 20, 10, 5, 2, 1];

const probeTable = {
  to: { kind: "texts" },
  vector: { kind: "object" },
  timeoutMs: { kind: "duration", isFinite: true, default: 20 },
} as const satisfies OptionTable<ProbeOptions>;
const maxTimeoutMs = 1_000;

/** Asks the librarians that a hop may delegate to how well they could answer, all at once. */
export async function probeDelegates(
  hop: Hop,
  query: string,
  options: ProbeOptions = {},
): Promise<AnswerEstimates> {
  const {
    to,
    vector,
    timeoutMs = probeTable.timeoutMs.default,
  } = checkOptions<ProbeOptions>("options", options, probeTable);
  const signal = signalOf(hop);
  const estimates = new Map<string, AnswerEstimate>();
  const limits = { signal, timeoutMs: Math.min(timeoutMs, maxTimeoutMs) };
  const deadline = Date.now() + limits.timeoutMs;
  await withDeadline(limits, (ends) =>
    Promise.allSettled(
      probedBy(hop, to).map(async ({ definition: { id, canAnswer } }) => {
        const given = { query, vector, user: hop.user, signal: ends, deadline };
        const estimate = roundEstimate(await canAnswer?.(given));
        if (estimate !== undefined) estimates.set(id, estimate);
      }),
    ),
  ).catch(() => throwIfAborted(signal));
  return new Map(estimates);
}

function probedBy(hop: Hop, to: readonly string[] | undefined): readonly Registration[] {
  const { registry } = hop.run.mesh;
  const wanted = to && new Set(to.slice(0, maxProbes));
  const found: Registration[] = [];
  for (const { id } of availableTo(hop)) {
    if (wanted?.has(id) === false) continue;
    const registration = registry.get(id);
    if (registration?.definition.canAnswer === undefined || !registration.isReady) continue;
    found.push(registration);
    if (found.length >= maxProbes) break;
  }
  return found;
}

/** Reads an estimate of code that is not the router's. What is not a share is unknown. */
function roundEstimate(value: unknown): AnswerEstimate | undefined {
  if (!isRecord(value)) return undefined;
  const chance = roundShare(value.chance);
  if (chance === undefined) return undefined;
  const { matches, version } = value;
  return {
    chance,
    coverage: roundShare(value.coverage),
    similarity: roundShare(value.similarity),
    matches:
      typeof matches === "number" && matches >= 0
        ? (matchSteps.find((each) => matches >= each) ?? 0)
        : undefined,
    version: typeof version === "string" ? version.slice(0, 64) : undefined,
  };
}

function roundShare(value: unknown): number | undefined {
  if (typeof value !== "number" || Number.isNaN(value)) return undefined;
  return Math.floor(Math.min(1, Math.max(0, value)) / step + 1e-9) * step;
}
