import { requireInteger, requireObject, requireText } from "../option-checks.js";
import { ownVersion } from "../own-version.js";

/** What the card of a mesh says. */
export interface AgentCardOptions {
  /**
   * Name of the agent, for people.
   *
   * @default "Constellation"
   */
  readonly name?: string | undefined;
  /** What the agent can answer. A general sentence where not given. */
  readonly description?: string | undefined;
  /**
   * Version of the agent.
   *
   * @default the version of this package
   */
  readonly version?: string | undefined;
  /** Who provides it. */
  readonly provider?: { readonly organization: string; readonly url: string } | undefined;
  /** Where more is written about it. */
  readonly documentationUrl?: string | undefined;
}

/** Options for {@link createA2AHandler}. */
export interface A2AHandlerOptions extends AgentCardOptions {
  /**
   * Where the agent is asked: an absolute URL, or a path of the address its card is asked at. Give
   * the URL where something stands in front.
   *
   * @default "/a2a"
   */
  readonly url?: string | undefined;
  /**
   * Largest request body, in bytes: 1 to 104857600. A larger one gets 413.
   *
   * @default 1_048_576
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Longest query, in characters: 1 to 100,000. A longer one fails with `INVALID_QUERY`.
   *
   * @default 10_000
   */
  readonly maxQueryLength?: number | undefined;
  /**
   * Most tasks at work at once, 1 to 100,000. One more fails with `SERVICE_UNAVAILABLE`, reason
   * `overloaded`, at once.
   *
   * @default 64
   */
  readonly maxQueries?: number | undefined;
  /**
   * Most tasks that are kept, with those at work: 1 to 1,000,000. Beyond, the one that ended first is
   * forgotten.
   *
   * @default 1_000
   */
  readonly maxTasks?: number | undefined;
  /**
   * Maximum size in memory of all tasks that are kept, in bytes: 1 to 10,737,418,240. Beyond, the one
   * that ended first is forgotten.
   *
   * @default 67_108_864
   */
  readonly maxStoredBytes?: number | undefined;
  /**
   * How long a task that has ended is kept, in milliseconds: 1 to 2147483647.
   *
   * @default 600_000
   */
  readonly taskTtlMs?: number | undefined;
}

/** The defaults named in {@link A2AHandlerOptions}. */
export const a2aHandlerDefaults = {
  name: "Constellation",
  description: "Answers questions, with sources, by asking the librarian who knows.",
  version: ownVersion,
  url: "/a2a",
  maxBodyBytes: 1_048_576,
  maxQueryLength: 10_000,
  maxQueries: 64,
  maxTasks: 1_000,
  maxStoredBytes: 67_108_864,
  taskTtlMs: 600_000,
} as const satisfies A2AHandlerOptions;

/** Options with their defaults; those of the card as they came. */
export interface A2AHandlerSettings {
  readonly card: AgentCardOptions;
  readonly url: string;
  readonly maxBodyBytes: number;
  readonly maxQueryLength: number;
  readonly maxQueries: number;
  readonly maxTasks: number;
  readonly maxStoredBytes: number;
  readonly taskTtlMs: number;
}

const cardKeys = ["name", "description", "version", "provider", "documentationUrl"] as const;
const handlerKeys = [
  ...cardKeys,
  "url",
  "maxBodyBytes",
  "maxQueryLength",
  "maxQueries",
  "maxTasks",
  "maxStoredBytes",
  "taskTtlMs",
] as const satisfies readonly (keyof A2AHandlerOptions)[];

/** @throws TypeError or RangeError that names the key and the value. */
export function checkCardOptions(options: unknown, more: readonly string[] = []): AgentCardOptions {
  requireObject("options", options, [...cardKeys, ...more]);
  const card = options as AgentCardOptions; // its values are checked below
  const { name, description, version, provider, documentationUrl } = card;
  requireText("name", name);
  requireText("description", description);
  requireText("version", version);
  requireText("documentationUrl", documentationUrl);
  if (provider !== undefined) {
    requireObject("provider", provider, ["organization", "url"]);
    requireText("provider.organization", provider.organization ?? null);
    requireText("provider.url", provider.url ?? null);
  }
  return { name, description, version, provider, documentationUrl };
}

/** @throws TypeError or RangeError that names the key and the value. */
export function checkHandlerOptions(options: unknown): A2AHandlerSettings {
  requireObject("options", options, handlerKeys);
  const checked = options as A2AHandlerOptions; // its values are checked below
  const { url, maxBodyBytes, maxQueryLength, maxQueries, taskTtlMs } = checked;
  const { maxTasks, maxStoredBytes } = checked;
  requireText("url", url);
  if (url !== undefined && !url.startsWith("/") && !/^https?:$/.test(protocolOf(url))) {
    throw new RangeError(`url: expected an http or https URL, or a path, got "${url}".`);
  }
  requireInteger("maxBodyBytes", maxBodyBytes, 1, 104_857_600);
  requireInteger("maxQueryLength", maxQueryLength, 1, 100_000);
  requireInteger("maxQueries", maxQueries, 1, 100_000);
  requireInteger("maxTasks", maxTasks, 1, 1_000_000);
  requireInteger("maxStoredBytes", maxStoredBytes, 1, 10_737_418_240);
  requireInteger("taskTtlMs", taskTtlMs, 1, 2_147_483_647);
  return {
    card: checkCardOptions(options, handlerKeys),
    url: url ?? a2aHandlerDefaults.url,
    maxBodyBytes: maxBodyBytes ?? a2aHandlerDefaults.maxBodyBytes,
    maxQueryLength: maxQueryLength ?? a2aHandlerDefaults.maxQueryLength,
    maxQueries: maxQueries ?? a2aHandlerDefaults.maxQueries,
    maxTasks: maxTasks ?? a2aHandlerDefaults.maxTasks,
    maxStoredBytes: maxStoredBytes ?? a2aHandlerDefaults.maxStoredBytes,
    taskTtlMs: taskTtlMs ?? a2aHandlerDefaults.taskTtlMs,
  };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
