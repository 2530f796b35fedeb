import { randomBytes } from "node:crypto";
import type { AIClient } from "../contract/ai-client.js";
import type { Budget } from "../contract/budget.js";
import { inputLimits } from "../contract/input-limits.js";
import type { MeshTransport } from "../contract/mesh-transport.js";
import {
  refuseUnknownKeys,
  requireAi,
  requireBudget,
  requireCount,
  requireDuration,
  requireMerge,
  requireText,
} from "../contract/option-checks.js";
import type { MergeStrategy } from "../contract/response.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";
import { requireBreaker, requireFlag, requireRetry } from "../registry/check-resilience.js";
import type { ResilienceOptions } from "../registry/policy.js";
import { type InputOptions, inputKeys, inputLimitsOf } from "./input-options.js";
import type { RouterSettings } from "./run/settings.js";
import { requireSecrets, secretKeysOf } from "./secret-options.js";

/** Limits and defaults a router keeps for every run. */
export interface RouterOptions extends InputOptions, ResilienceOptions {
  /**
   * Names the mesh in traces and records, and on the path of calls to other meshes: there it must be
   * unique, and is random where not given.
   *
   * @default "constellation"
   */
  readonly name?: string | undefined;
  /** Id of the librarian that is asked when `ask` names none. Without it: the only one registered. */
  readonly entry?: string | undefined;
  /**
   * Time for a whole run, in milliseconds: 1 to 2147483647 (the longest timer Node.js can hold), or
   * `Infinity`.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of librarians on one path, the entry included. Integer, 1 or more, or `Infinity`.
   *
   * @default 5
   */
  readonly maxDepth?: number | undefined;
  /**
   * Maximum number of librarians called in one run, all branches together. Integer, 0 or more, or `Infinity`.
   *
   * @default 64
   */
  readonly maxHops?: number | undefined;
  /**
   * Maximum number of delegates of one response; those beyond it are listed in `metadata.missing`.
   * Integer, 1 or more, or `Infinity`.
   *
   * @default 16
   */
  readonly maxFanout?: number | undefined;
  /**
   * Maximum number of delegates of one response that run at once. Integer, 1 or more, or `Infinity`.
   *
   * @default 4
   */
  readonly fanoutConcurrency?: number | undefined;
  /**
   * Maximum number of librarians that work at once, in all runs together. Integer, 1 or more, or
   * `Infinity`. One that waits for others, in `context.ask` or because it delegated, does not count, so
   * that nested work cannot deadlock. Calls beyond it wait; users take turns, and so do runs of a user.
   *
   * @default Infinity
   */
  readonly concurrency?: number | undefined;
  /**
   * Maximum number of calls that wait because of `concurrency`, of the router or of a librarian.
   * Beyond it a call is refused at once: `SERVICE_UNAVAILABLE`, reason `overloaded`, with
   * `details.retryAfterMs`. Integer, 0 or more, or `Infinity`.
   *
   * @default 1_000
   */
  readonly maxQueue?: number | undefined;
  /**
   * How the responses of a fan-out become one, where neither the response nor `ask` names a strategy.
   *
   * @default "merge-all"
   */
  readonly merge?: MergeStrategy | undefined;
  /**
   * Maximum time for the model's text of `ai-blend`, its repair included, in milliseconds: 1 to
   * 2147483647, or `Infinity`; never more than what remains. Not given: half of what remains. Without a
   * text in that time the answers are joined as by `merge-all`.
   */
  readonly blendTimeoutMs?: number | undefined;
  /**
   * What a loop is. `path`: a librarian that is on the path already. `work`: the same librarian with
   * the same query (letter case and spacing aside) and the same metadata, so that a refined question
   * may come back.
   *
   * @default "path"
   */
  readonly loops?: "path" | "work" | undefined;
  /** Maximum that one run may spend on models. None given: no limit. */
  readonly budget?: Budget | undefined;
  /** Model for `context.ai`, where `ask` gives none. */
  readonly ai?: AIClient | undefined;
  /**
   * Brings in the librarians that other processes serve, and gives the mesh its name on paths. The router
   * knows them once `open` has resolved, and closes the transport with itself.
   */
  readonly transport?: MeshTransport | undefined;
  /**
   * Puts queries, answers and the words of errors on spans. They may hold what should not leave the
   * application.
   *
   * @default false
   */
  readonly recordContent?: boolean | undefined;
  /**
   * Keys of `metadata` that are secret, each with the ids of the librarians it is meant for:
   * `{ githubToken: ["github"] }`. All others never see the key, and no librarian can add or replace
   * it. No event, span or record has it, nor what a librarian returns under its name; texts of a
   * secret are removed from what a model reads.
   */
  readonly secrets?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * For the author of librarians: the error of a librarian that throws has message and stack of what it
   * threw in `details.thrown`, and that of an invalid response what was returned in `details.returned`.
   * Never where others can ask: both may hold secrets.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
}

/** The defaults named in {@link RouterOptions}. */
export const routerDefaults = {
  name: "constellation",
  timeoutMs: 30_000,
  maxDepth: 5,
  maxHops: 64,
  maxFanout: 16,
  fanoutConcurrency: 4,
  concurrency: Number.POSITIVE_INFINITY,
  maxQueue: 1_000,
  ...inputLimits,
  merge: "merge-all",
  loops: "path",
  recordContent: false,
  debug: false,
} as const satisfies RouterOptions;

const routerKeys: ReadonlySet<string> = new Set<keyof RouterOptions>([
  ...inputKeys,
  "name",
  "entry",
  "timeoutMs",
  "maxDepth",
  "maxHops",
  "maxFanout",
  "fanoutConcurrency",
  "concurrency",
  "maxQueue",
  "retry",
  "breaker",
  "singleFlight",
  "merge",
  "blendTimeoutMs",
  "loops",
  "budget",
  "ai",
  "transport",
  "recordContent",
  "secrets",
  "debug",
]);

/** @throws TypeError or RangeError that names the key and the value. */
export function checkRouterOptions(options: unknown): RouterSettings {
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, routerKeys);
  requireText("name", options.name);
  requireText("entry", options.entry);
  requireDuration("timeoutMs", options.timeoutMs);
  requireCount("maxDepth", options.maxDepth, 1);
  requireCount("maxHops", options.maxHops, 0);
  requireCount("maxFanout", options.maxFanout, 1);
  requireCount("fanoutConcurrency", options.fanoutConcurrency, 1);
  requireCount("concurrency", options.concurrency, 1);
  requireCount("maxQueue", options.maxQueue, 0);
  requireRetry("retry", options.retry);
  requireBreaker("breaker", options.breaker);
  requireFlag("singleFlight", options.singleFlight);
  requireMerge(options.merge);
  requireDuration("blendTimeoutMs", options.blendTimeoutMs);
  requireBudget(options.budget);
  requireAi(options.ai);
  requireTransport(options.transport);
  const { loops } = options;
  if (loops !== undefined && loops !== "path" && loops !== "work") {
    throw new RangeError(`loops: expected "path" or "work", got ${describeValue(loops)}.`);
  }
  requireFlag("recordContent", options.recordContent);
  requireFlag("debug", options.debug);
  requireSecrets(options.secrets);
  const given = options as RouterOptions; // every key was checked above
  return {
    name: given.name ?? routerDefaults.name,
    meshName: given.transport?.mesh ?? given.name ?? `mesh-${randomBytes(4).toString("hex")}`,
    entry: given.entry,
    timeoutMs: given.timeoutMs ?? routerDefaults.timeoutMs,
    maxDepth: given.maxDepth ?? routerDefaults.maxDepth,
    maxHops: given.maxHops ?? routerDefaults.maxHops,
    maxFanout: given.maxFanout ?? routerDefaults.maxFanout,
    fanoutConcurrency: given.fanoutConcurrency ?? routerDefaults.fanoutConcurrency,
    concurrency: given.concurrency ?? routerDefaults.concurrency,
    maxQueue: given.maxQueue ?? routerDefaults.maxQueue,
    inputLimits: inputLimitsOf(options),
    resilience: {
      retry: given.retry,
      breaker: given.breaker,
      singleFlight: given.singleFlight,
    },
    merge: given.merge ?? routerDefaults.merge,
    blendTimeoutMs: given.blendTimeoutMs,
    loops: given.loops ?? routerDefaults.loops,
    budget: given.budget,
    ai: given.ai,
    transport: given.transport,
    recordContent: given.recordContent ?? routerDefaults.recordContent,
    secrets: given.secrets && secretKeysOf(given.secrets),
    debug: given.debug ?? routerDefaults.debug,
  };
}

/** @throws TypeError unless `transport` is absent or has what a router calls. */
function requireTransport(transport: unknown): void {
  if (transport === undefined) return;
  const isTransport =
    isRecord(transport) &&
    typeof transport.mesh === "string" &&
    ["open", "join", "close"].every((method) => typeof transport[method] === "function");
  if (!isTransport) {
    throw new TypeError(
      `transport: expected an object with mesh, open, join and close, got ${describeValue(transport)}.`,
    );
  }
}
