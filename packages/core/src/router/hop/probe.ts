import type {
  AnswerEstimate,
  AnswerEstimates,
  ProbeOptions,
} from "../../contract/answer-estimate.js";
import type { LibrarianInfo } from "../../contract/librarian-info.js";
import { checkOptions, signalOption, userOption } from "../../contract/option-checks.js";
import type { OptionTable } from "../../contract/option-table.js";
import { isRecord } from "../../contract/unknown-value.js";
import type { User } from "../../contract/user.js";
import type { Registration } from "../../registry/registration.js";
import type { Registry } from "../../registry/registry.js";
import { throwIfAborted, withDeadline } from "../../waits/with-deadline.js";
import { signalOf } from "../run/calls.js";
import type { Hop } from "../run/model.js";
import { availableTo } from "./available-delegates.js";
import { mayAskFor } from "./list-options.js";

/** Maximum number of librarians that one query probes. */
const maxProbes = 64;
/** Steps that estimates are rounded down to. */
const step = 0.05;
const matchSteps = [50, 20, 10, 5, 2, 1];

const probeTable = {
  to: { kind: "texts" },
  vector: { kind: "object" },
  timeoutMs: { kind: "duration", isFinite: true, default: 20 },
} as const satisfies OptionTable<ProbeOptions>;
const routerProbeTable = {
  ...probeTable,
  user: userOption,
  signal: signalOption,
} as const;
const maxTimeoutMs = 1_000;

/** Asks the librarians that a hop may delegate to how well they could answer, all at once. */
export function probeDelegates(
  hop: Hop,
  query: string,
  options: ProbeOptions = {},
): Promise<AnswerEstimates> {
  const checked = checkOptions<ProbeOptions>("options", options, probeTable);
  const { registry } = hop.run.mesh;
  return collectEstimates(query, checked, {
    registrations: namedIn(availableTo(hop), checked.to, registry),
    user: hop.user,
    signal: signalOf(hop),
  });
}

/** How a router asks for estimates outside a run. */
export interface RouterProbeOptions extends ProbeOptions {
  /** Only librarians that this user may ask are probed, and only content that the user may read counts. */
  readonly user?: User | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the librarians that a user may ask how well they could answer, all at once. */
export function probeFor(
  registry: Registry,
  query: string,
  options: RouterProbeOptions = {},
): Promise<AnswerEstimates> {
  const { user, signal, ...checked } = checkOptions<RouterProbeOptions>(
    "options",
    options,
    routerProbeTable,
  );
  return collectEstimates(query, checked, {
    registrations: namedIn(registry.list(mayAskFor({ user })), checked.to, registry),
    user,
    signal,
  });
}

/** Which librarians to probe, and for which user. */
interface Probed {
  readonly registrations: readonly Registration[];
  readonly user: User | undefined;
  readonly signal: AbortSignal | undefined;
}

async function collectEstimates(
  query: string,
  { vector, timeoutMs = probeTable.timeoutMs.default }: ProbeOptions,
  { registrations, user, signal }: Probed,
): Promise<AnswerEstimates> {
  const estimates = new Map<string, AnswerEstimate>();
  const limits = { signal, timeoutMs: Math.min(timeoutMs, maxTimeoutMs) };
  const deadline = Date.now() + limits.timeoutMs;
  await withDeadline(limits, (ends) =>
    Promise.allSettled(
      registrations.map(async ({ definition: { id, canAnswer } }) => {
        const given = { query, vector, user, signal: ends, deadline };
        const estimate = roundEstimate(await canAnswer?.(given));
        if (estimate !== undefined) estimates.set(id, estimate);
      }),
    ),
  ).catch(() => throwIfAborted(signal));
  return new Map(estimates);
}

/** The available librarians that are named and can estimate. */
function namedIn(
  available: readonly LibrarianInfo[],
  to: readonly string[] | undefined,
  registry: Registry,
): readonly Registration[] {
  const wanted = to && new Set(to.slice(0, maxProbes));
  const found: Registration[] = [];
  for (const { id } of available) {
    if (wanted?.has(id) === false) continue;
    const registration = registry.get(id);
    if (registration?.definition.canAnswer === undefined || !registration.isReady) continue;
    found.push(registration);
    if (found.length >= maxProbes) break;
  }
  return found;
}

/** Reads an estimate from untrusted code. A value that is not a share is dropped. */
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
    isNamed: typeof value.isNamed === "boolean" ? value.isNamed : undefined,
    version: typeof version === "string" ? version.slice(0, 64) : undefined,
  };
}

function roundShare(value: unknown): number | undefined {
  if (typeof value !== "number" || Number.isNaN(value)) return undefined;
  return Math.floor(Math.min(1, Math.max(0, value)) / step + 1e-9) * step;
}
