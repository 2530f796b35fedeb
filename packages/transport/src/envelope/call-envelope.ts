import { threadSchema } from "@constellation/authoring/schemas";
import type { Budget, PathEntry, RemoteCaller, Thread, User } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { describeValue, isRecord, pathProblem } from "@constellation/core/checks";

/**
 * What a call carries from one mesh to another. Version 1; unknown fields are ignored.
 *
 * @beta
 */
export interface CallEnvelope {
  readonly v: 1;
  /** Fields that the receiver must know, or refuse the call. */
  readonly need?: readonly string[] | undefined;
  /** Librarians called so far, oldest first; the last one is the caller. */
  readonly path: readonly PathEntry[];
  /** Number of librarians on the path, those that only forward left out. */
  readonly depth?: number | undefined;
  /** Remaining time of the caller, in whole milliseconds. Absent if the caller has no limit. */
  readonly remainingMs?: number | undefined;
  /** Maximum number of librarians on one path. */
  readonly maxDepth?: number | undefined;
  /** Maximum number of librarians that may be called for it: reserved for this call. */
  readonly hopsLeft?: number | undefined;
  /** Maximum that may be spent on models for it: reserved for this call. */
  readonly budget?: Budget | undefined;
  /** Whether the receiver may lease more than `hopsLeft` and `budget` from the caller. */
  readonly lease?: true | undefined;
  /** Id of the call, the same when it is sent again: 16 to 64 letters, digits, `_` and `-`. */
  readonly requestId?: string | undefined;
  /** Identifies the work, the same when the whole run is repeated. 1 to 200 characters. */
  readonly idempotencyKey?: string | undefined;
  /** Id of the run in the first mesh. */
  readonly runId?: string | undefined;
  /** The user of the call. Accepted only from a trusted caller. At most 4,096 characters of JSON. */
  readonly user?: User | undefined;
  /** Earlier turns of the thread. Accepted only from a trusted caller. At most 65,536 characters of JSON. */
  readonly thread?: Thread | undefined;
  /** Data for the librarians. At most 262,144 characters of JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** OpenTelemetry baggage, in the form of the W3C header. At most 8,192 characters. */
  readonly baggage?: string | undefined;
}

/**
 * The parts of a run that an envelope sets.
 *
 * @beta
 */
export interface IncomingCall {
  /** For the option `caller` of `ask`. */
  readonly caller: RemoteCaller;
  readonly requestId: string | undefined;
  /** For the option of `ask`. */
  readonly idempotencyKey: string | undefined;
  /** The user that the caller names: to be used only where the caller is trusted. */
  readonly user: User | undefined;
  /** The thread that the caller sends: to be used only where the caller is trusted. */
  readonly thread: Thread | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** For records and logs only. Unreadable values are dropped. */
  readonly baggage: string | undefined;
  /** Whether the receiver may lease more, over the transport that brought the call. */
  readonly isLeased: boolean;
}

export const maxRemainingMs = 2_147_483_647;

/** Maximum length of an envelope's metadata, in characters of its JSON. */
export const maxMetadataLength = 262_144;

/** Maximum length of an envelope's thread, in characters of its JSON. */
export const maxThreadLength = 65_536;

const maxUserLength = 4_096;
const maxDataDepth = 32;

/** Supported versions. */
const versions = [1];

const knownFields: ReadonlySet<string> = new Set<keyof CallEnvelope>([
  "v",
  "need",
  "path",
  "depth",
  "maxDepth",
  "remainingMs",
  "hopsLeft",
  "budget",
  "lease",
  "requestId",
  "idempotencyKey",
  "runId",
  "user",
  "thread",
  "metadata",
  "baggage",
]);

/**
 * Reads the envelope of a call from another mesh.
 *
 * @throws MeshError `INVALID_QUERY` that names the field: a guard that cannot be read must not be
 *   ignored. `TIMEOUT` where the caller has no time left.
 *
 * @beta
 */
export function decodeCall(value: unknown): IncomingCall {
  if (!isRecord(value)) throw invalid("expected an object");
  if (value.v !== 1) throw invalid("v: expected 1", { versions });
  requireKnown(value.need);
  const { remainingMs, hopsLeft, depth, maxDepth } = value;
  if (remainingMs === 0) {
    throw new MeshError("TIMEOUT", "The calling mesh had no time left.", { reason: "deadline" });
  }
  requireInteger("remainingMs", remainingMs, maxRemainingMs);
  requireInteger("hopsLeft", hopsLeft, Number.MAX_SAFE_INTEGER);
  requireInteger("depth", depth, Number.MAX_SAFE_INTEGER);
  requireInteger("maxDepth", maxDepth, Number.MAX_SAFE_INTEGER, 1);
  const budget = parseBudget(value.budget);
  const runId = parseId(value.runId);
  return {
    caller: {
      path: parsePath(value.path),
      ...(depth !== undefined && { depth }),
      ...(maxDepth !== undefined && { maxDepth }),
      ...(remainingMs !== undefined && { remainingMs }),
      ...(hopsLeft !== undefined && { hopsLeft }),
      ...(budget !== undefined && { budget }),
      ...(runId !== undefined && { runId }),
    },
    requestId: parseRequestId(value.requestId),
    idempotencyKey: parseIdempotencyKey(value.idempotencyKey),
    user: parseUser(value.user),
    thread: parseThread(value.thread),
    metadata: parseMetadata(value.metadata),
    baggage: typeof value.baggage === "string" ? value.baggage : undefined,
    isLeased: value.lease === true,
  };
}

function requireKnown(need: unknown): void {
  if (need === undefined) return;
  if (!Array.isArray(need)) throw invalid("need: expected an array of field names");
  for (const field of need as readonly unknown[]) {
    if (typeof field !== "string" || !knownFields.has(field)) {
      throw invalid(`need: ${describeValue(field)} is not known`, { versions });
    }
  }
}

function parsePath(path: unknown): readonly PathEntry[] {
  const problem = pathProblem(path);
  if (problem !== undefined) throw invalid(problem);
  const entries = path as readonly PathEntry[]; // no problem was found
  return entries.map(({ mesh, id, isBridge }) => ({ mesh, id, ...(isBridge && { isBridge }) }));
}

function requireInteger(
  field: string,
  value: unknown,
  max: number,
  min = 0,
): asserts value is number | undefined {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return;
  throw invalid(`${field}: expected an integer from ${min} to ${max}`);
}

function parseBudget(budget: unknown): Budget | undefined {
  if (budget === undefined) return undefined;
  if (!isRecord(budget)) throw invalid("budget: expected an object");
  const { tokens, costUsd } = budget;
  if (!isAmount(tokens)) throw invalid("budget.tokens: expected a number of 0 or more");
  if (!isAmount(costUsd)) throw invalid("budget.costUsd: expected a number of 0 or more");
  return { ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) };
}

function isAmount(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === "number" && value >= 0 && value < Infinity);
}

/** For records and logs only. Returns `undefined` for unreadable values. */
function parseId(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w.:-]{1,128}$/.test(value) ? value : undefined;
}

function parseRequestId(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^[\w-]{16,64}$/.test(value)) return value;
  throw invalid("requestId: expected 16 to 64 of the characters A-Z, a-z, 0-9, _ and -");
}

function parseIdempotencyKey(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.length >= 1 && value.length <= 200) return value;
  throw invalid("idempotencyKey: expected 1 to 200 characters");
}

function parseUser(user: unknown): User | undefined {
  if (user === undefined) return undefined;
  if (!isRecord(user) || typeof user.id !== "string" || user.id === "") {
    throw invalid("user: expected an object with an id");
  }
  const json = JSON.stringify(user);
  if (json.length > maxUserLength) {
    throw invalid(`user: expected at most ${maxUserLength} characters of JSON`);
  }
  return withoutPrototype(json) as unknown as User; // its id was checked
}

function parseThread(thread: unknown): Thread | undefined {
  if (thread === undefined) return undefined;
  if (JSON.stringify(thread).length > maxThreadLength) {
    throw invalid(`thread: expected at most ${maxThreadLength} characters of JSON`);
  }
  const parsed = threadSchema.safeParse(thread);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: "" }] = parsed.error.issues;
  throw invalid(`${["thread", ...path].join(".")}: ${message}`);
}

function parseMetadata(metadata: unknown): Readonly<Record<string, unknown>> | undefined {
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw invalid("metadata: expected an object");
  if (measureDepth(metadata) > maxDataDepth) {
    throw invalid(`metadata: expected at most ${maxDataDepth} levels`);
  }
  const json = JSON.stringify(metadata);
  if (json.length > maxMetadataLength) {
    throw invalid(`metadata: expected at most ${maxMetadataLength} characters of JSON`);
  }
  return withoutPrototype(json);
}

/** Counts the levels of a JSON value, up to the first one that is refused. */
function measureDepth(value: unknown): number {
  let level: readonly unknown[] = [value];
  for (let depth = 0; ; depth++) {
    level = level.filter((each) => typeof each === "object" && each !== null);
    if (level.length === 0 || depth > maxDataDepth) return depth;
    level = level.flatMap((each) => Object.values(each as object));
  }
}

const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** An object from JSON, without the keys that would change its prototype. */
function withoutPrototype(json: string): Record<string, unknown> {
  return JSON.parse(json, function (this: unknown, key: string, item: unknown) {
    return prototypeKeys.has(key) && !Array.isArray(this) ? undefined : item;
  }) as Record<string, unknown>; // of an object
}

function invalid(problem: string, details?: Readonly<Record<string, unknown>>): MeshError {
  return new MeshError("INVALID_QUERY", `The call envelope is not valid: ${problem}.`, {
    suggestion: "Check the version of the calling mesh.",
    ...(details !== undefined && { details }),
  });
}
