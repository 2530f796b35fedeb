import { randomBytes } from "node:crypto";
import type { AIClient, Budget } from "../../contract/ai-client.js";
import { type InputLimits, inputLimitTable } from "../../contract/input-limits.js";
import type { MeshJournal } from "../../contract/journal.js";
import type { MeshTransport } from "../../contract/mesh-transport.js";
import { aiOption, budgetOption, checkOptions, idForm } from "../../contract/option-checks.js";
import { type OptionTable, readDefaults } from "../../contract/option-table.js";
import { type ResilienceOptions, resilienceTable } from "../../contract/resilience.js";
import type { MergeFunction, MergeStrategy } from "../../contract/response.js";
import type { SecretKeys } from "./secrets.js";

type InputOptions = { readonly [Key in keyof InputLimits]?: InputLimits[Key] | undefined };

/** Limits and defaults a router keeps for every run. */
export interface RouterOptions extends InputOptions, ResilienceOptions {
  /**
   * Names the mesh in traces and records, and on the path of calls to other meshes: there it must be
   * unique, and is random where not given.
   *
   * @default "constellation"
   */
  readonly name?: string | undefined;
  /** Id of the librarian that is asked when `ask` names none. Default: the only one registered. */
  readonly entry?: string | undefined;
  /**
   * Time for a whole run, in milliseconds: 1 to 2147483647 (the longest timer Node.js can hold), or
   * `Infinity`.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum time for a librarian to start, in milliseconds: 1 to 2147483647. A question that comes meanwhile waits
   * as long as it has time; the start continues for the next one, and is tried anew once it has taken longer than
   * this. Also how long `open` waits.
   *
   * @default 30_000
   */
  readonly startTimeoutMs?: number | undefined;
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
   * 2147483647, or `Infinity`; never more than what remains. Default: half of what remains. Without a
   * text in that time the answers are joined as by `merge-all`.
   */
  readonly blendTimeoutMs?: number | undefined;
  /**
   * What `ai-blend` merges with: `createBlend` of `@constellation/authoring`. Needed where `merge` is `ai-blend`; without
   * it, a response that asks for `ai-blend` is merged by `merge-all`.
   */
  readonly blend?: MergeFunction | undefined;
  /**
   * What counts as a loop. `path`: a librarian that is on the path already. `work`: the same librarian with
   * the same query (letter case and spacing aside) and the same metadata, so that a refined question
   * may come back.
   *
   * @default "path"
   */
  readonly loops?: "path" | "work" | undefined;
  /** Maximum that one run may spend on models. Default: no limit. */
  readonly budget?: Budget | undefined;
  /** Model for `context.ai`, where `ask` gives none. */
  readonly ai?: AIClient | undefined;
  /**
   * Brings in the librarians that other processes serve, and gives the mesh its name on paths. The router
   * knows them once `open` has resolved, and closes the transport with itself.
   */
  readonly transport?: MeshTransport | undefined;
  /**
   * Records what runs do, so that they continue after a crash and wait for people: `createJournal` of
   * `@constellation/journal`. The router closes it with itself. Without it nothing is kept.
   */
  readonly journal?: MeshJournal | undefined;
  /**
   * Records queries, answers and error messages on spans. They may hold what should not leave the
   * application.
   *
   * @default false
   */
  readonly recordContent?: boolean | undefined;
  /**
   * Keys of `metadata` that are secret, each with the ids of the librarians it is meant for:
   * `{ githubToken: ["github"] }`. All others never see the key, and no librarian can add or replace
   * it. No event, span or record contains the key, or a value that a librarian returns under it; texts of a
   * secret are removed from what a model reads.
   */
  readonly secrets?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * For authors of librarians: `error.details.thrown` has message and stack of an exception, and `details.returned` a
   * response that is invalid. Not for meshes that others can ask: both may hold secrets.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
}

/** The options of {@link RouterOptions}. */
export const routerTable = {
  name: { kind: "text", default: "constellation" },
  entry: { kind: "text", form: idForm },
  timeoutMs: { kind: "duration", default: 30_000 },
  startTimeoutMs: { kind: "duration", isFinite: true, default: 30_000 },
  maxDepth: { kind: "count", default: 5 },
  maxHops: { kind: "count", min: 0, default: 64 },
  maxFanout: { kind: "count", default: 16 },
  fanoutConcurrency: { kind: "count", default: 4 },
  concurrency: { kind: "count", default: Number.POSITIVE_INFINITY },
  maxQueue: { kind: "count", min: 0, default: 1_000 },
  ...inputLimitTable,
  ...resilienceTable,
  merge: { kind: "merge", default: "merge-all" },
  blendTimeoutMs: { kind: "duration" },
  blend: { kind: "function" },
  loops: { kind: "choice", values: ["path", "work"], default: "path" },
  budget: budgetOption,
  ai: aiOption,
  transport: { kind: "object", texts: ["mesh"], methods: ["open", "join", "close"] },
  journal: { kind: "object", methods: ["join", "open", "begin", "resume", "close"] },
  recordContent: { kind: "flag", default: false },
  secrets: { kind: "id-lists" },
  debug: { kind: "flag", default: false, isInCode: true },
} as const satisfies OptionTable<RouterOptions>;

/** The defaults named in {@link RouterOptions}. */
export const routerDefaults = readDefaults(routerTable);

/** What all runs of a router have in common: its options, checked, with defaults. */
export interface RouterSettings extends Omit<GivenOptions, "secrets"> {
  /** Names the mesh to other meshes: `name` where it is given, else random. */
  readonly meshName: string;
  readonly inputLimits: InputLimits;
  /** Policy of librarians that declare none. */
  readonly resilience: ResilienceOptions;
  /** By key of metadata, the librarians that it is meant for; `undefined`: no key is secret. */
  readonly secrets: SecretKeys | undefined;
}

type Defaults = typeof routerDefaults;
type GivenOptions = Omit<RouterOptions, keyof Defaults> & {
  readonly [Key in keyof Defaults]: NonNullable<RouterOptions[Key]>;
};

/** @throws TypeError or RangeError that names the key and the value. */
export function readSettings(options: unknown): RouterSettings {
  const given = checkOptions<RouterOptions>("options", options, routerTable);
  const { name, transport, secrets = {} } = given;
  if (given.merge === "ai-blend" && given.blend === undefined) {
    throw new TypeError(
      'merge: "ai-blend" needs `blend`: createBlend of @constellation/authoring.',
    );
  }
  if (Object.hasOwn(secrets, "reason")) {
    throw new RangeError('secrets: "reason" is recorded for each hop, so it cannot be secret.');
  }
  const settings = { ...routerDefaults, ...given } as GivenOptions; // a copy has no `undefined`
  const keys = Object.entries(secrets).map(([key, ids]) => [key, new Set(ids)] as const);
  return {
    ...settings,
    meshName: transport?.mesh ?? name ?? `mesh-${randomBytes(4).toString("hex")}`,
    inputLimits: settings,
    resilience: settings,
    secrets: keys.length === 0 ? undefined : new Map(keys),
  };
}
