import { randomUUID } from "node:crypto";
import { MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { type ClaimRegister, createQuorumClaims, type LinkClaims } from "@constellation/transport";
import type { Msg, NatsConnection } from "@nats-io/transport-node";

/** How long a claim is kept, in milliseconds. */
const ttlMs = 900_000;

/** Wait for one answer of the server, and for all attempts together, in milliseconds. */
const waits = { answerMs: 1_000, allMs: 5_000, againMs: 150 };

/** Error codes of JetStream. */
const errorCodes = { wrongSequence: 10_071, nameInUse: 10_058 };

/** Names of a bucket of claims. */
export interface ClaimsBucket {
  readonly stream: string;
  /** Start of the subjects of its keys. */
  readonly prefix: string;
}

/**
 * The buckets of a mesh. Each claim is in all of them, and a majority decides: where each has a server of its own, a
 * claim does not wait for a server that is down.
 */
export function claimsBuckets(mesh: string): readonly ClaimsBucket[] {
  return ["a", "b", "c"].map((letter) => {
    const bucket = `mesh-${mesh}-claims-${letter}`;
    return { stream: `KV_${bucket}`, prefix: `$KV.${bucket}.` };
  });
}

/** How often a bucket gets another server until it has one of its own, and time between two attempts, in milliseconds. */
const placing = { maxAttempts: 30, waitMs: 100 };

/** The configuration of a bucket: no member can purge it, or remove what another has written. */
function streamConfig({ stream, prefix }: ClaimsBucket, replicas: number, maker: string): object {
  return {
    name: stream,
    // Where several processes create it at once, the server keeps the first.
    description: `claims, made by ${maker}`,
    subjects: [`${prefix}>`],
    retention: "limits",
    storage: "file",
    discard: "old",
    max_msgs_per_subject: 1,
    max_age: ttlMs * 1e6, // nanoseconds
    max_msg_size: 131_072,
    duplicate_window: 120e9,
    num_replicas: replicas,
    allow_direct: true,
    allow_rollup_hdrs: false,
    deny_delete: true,
    deny_purge: true,
  };
}

/**
 * Creates missing buckets of claims, with three replicas in a cluster.
 *
 * @returns A function that gives each that was made a server of its own, where there are enough.
 * @throws MeshError that says what the server refused.
 */
async function makeMissing(connection: NatsConnection, mesh: string) {
  const buckets = await Promise.all(
    claimsBuckets(mesh).map(async (bucket) => {
      const maker = randomUUID();
      const known = await findBucket(connection, bucket);
      const found = known ?? (await makeBucket(connection, bucket, maker));
      return { bucket, maker, isMade: known === undefined, found };
    }),
  );
  async function placeAll(): Promise<number> {
    const servers = new Set<string>();
    for (const { isMade, found } of buckets) {
      if (!isMade && found.server !== undefined) servers.add(found.server);
    }
    let replicas = 1;
    for (const { bucket, maker, isMade, found } of buckets) {
      const isPlaced = !isMade || found.replicas === 1;
      const placed = isPlaced ? found : await place(connection, bucket, maker, servers);
      if (placed.server !== undefined) servers.add(placed.server);
      replicas = Math.max(replicas, placed.replicas);
    }
    return Math.max(servers.size, replicas);
  }
  return placeAll;
}

/**
 * Makes the buckets of claims that are missing: in a cluster each on a server of its own.
 *
 * @returns Number of servers that keep claims.
 * @throws MeshError that says what the server refused.
 */
export async function makeClaimsBuckets(connection: NatsConnection, mesh: string): Promise<number> {
  const placeAll = await makeMissing(connection, mesh);
  return placeAll();
}

/** An existing bucket. */
interface FoundBucket {
  /** Name of the server that keeps it, or leads those that do. */
  readonly server: string | undefined;
  readonly replicas: number;
}

/** @returns `undefined` when it does not exist. A bucket whose server does not answer exists. */
async function findBucket(
  connection: NatsConnection,
  { stream }: ClaimsBucket,
): Promise<FoundBucket | undefined> {
  try {
    return readBucket(await requestApi(connection, `STREAM.INFO.${stream}`));
  } catch (thrown) {
    if (isTimeout(thrown)) return { server: undefined, replicas: 1 };
    throw thrown;
  }
}

function readBucket({
  config,
  cluster,
}: Readonly<Record<string, unknown>>): FoundBucket | undefined {
  if (!isRecord(config)) return undefined;
  const { leader } = isRecord(cluster) ? cluster : {};
  return {
    server: typeof leader === "string" && leader !== "" ? leader : undefined,
    replicas: Number(config.num_replicas),
  };
}

async function makeBucket(
  connection: NatsConnection,
  bucket: ClaimsBucket,
  maker: string,
): Promise<FoundBucket> {
  const isCluster = typeof connection.info?.cluster === "string";
  let problem: unknown;
  for (const replicas of isCluster ? [3, 1] : [1]) {
    const config = streamConfig(bucket, replicas, maker);
    const made = await requestApi(connection, `STREAM.CREATE.${bucket.stream}`, config);
    if (isRecord(made.error)) {
      problem = made.error.description;
      if (made.error.err_code !== errorCodes.nameInUse) continue;
      return { server: undefined, replicas: 1 }; // another process makes it, and gives it a server
    }
    return readBucket(made) ?? { server: undefined, replicas };
  }
  throw unavailable(`The bucket ${bucket.stream} was not made: ${String(problem)}.`);
}

/** Gives a bucket with three replicas a server of its own: one that has no other bucket becomes its leader, and keeps it. */
async function place(
  connection: NatsConnection,
  bucket: ClaimsBucket,
  maker: string,
  taken: ReadonlySet<string>,
): Promise<FoundBucket> {
  const { stream } = bucket;
  for (let attempt = 0; attempt < placing.maxAttempts; attempt++) {
    const { server } = readBucket(await requestApi(connection, `STREAM.INFO.${stream}`)) ?? {};
    if (server !== undefined && !taken.has(server)) {
      const config = streamConfig(bucket, 1, maker);
      const placed = readBucket(await requestApi(connection, `STREAM.UPDATE.${stream}`, config));
      if (placed !== undefined) return placed;
    }
    await requestApi(connection, `STREAM.LEADER.STEPDOWN.${stream}`);
    await new Promise((resolve) => setTimeout(resolve, placing.waitMs));
  }
  return { server: undefined, replicas: 3 }; // no server is left
}

/** The claims of writes, in JetStream buckets. */
export function createNatsClaims(connected: () => NatsConnection, mesh: string): LinkClaims {
  let making: Promise<unknown> | undefined;

  /** Creates missing buckets, once for all callers, and not again before a delay. */
  function make(): Promise<unknown> {
    making ??= makeMissing(connected(), mesh)
      .then((placeAll) => void placeAll().catch(() => undefined)) // with three replicas they work as well
      .finally(() => {
        setTimeout(() => (making = undefined), waits.answerMs).unref();
      });
    return making;
  }

  const registers = claimsBuckets(mesh).map((bucket) =>
    createRegister(connected, bucket, () => make().catch(() => undefined)),
  );
  return {
    isShared: true,
    async prepare() {
      await make().catch((thrown: unknown) => {
        // A process without the right to create them relies on an administrator.
        if (!isRefused(thrown)) throw thrown;
      });
    },
    ...createQuorumClaims(registers),
  };
}

/** @param make - Makes the bucket where it is missing. Never rejects. */
function createRegister(
  connected: () => NatsConnection,
  { stream, prefix }: ClaimsBucket,
  make: () => Promise<unknown>,
): ClaimRegister {
  /** Sends again until there is an answer: it finds an entry that an attempt created whose answer was lost. */
  async function untilAnswered<Result>(
    attempt: () => Promise<Result>,
    isNeeded: () => boolean,
  ): Promise<Result> {
    const endsAt = performance.now() + waits.allMs;
    for (;;) {
      try {
        return await attempt();
      } catch (thrown) {
        const isOver = isRefused(thrown) || !isNeeded() || performance.now() >= endsAt;
        if (isOver) throw unavailable(explain(thrown, stream), thrown);
        if (isMissing(thrown)) await make();
        await new Promise((resolve) => setTimeout(resolve, waits.againMs));
      }
    }
  }

  async function read(key: string, isNeeded: () => boolean): Promise<Uint8Array | undefined> {
    const subject = `$JS.API.DIRECT.GET.${stream}.${prefix}${key}`;
    const found = await untilAnswered(() => request(connected(), subject), isNeeded);
    return found.headers !== undefined && found.headers.code >= 400 ? undefined : found.data;
  }

  async function put(
    key: string,
    value: Uint8Array,
    isFirst: boolean,
    isNeeded: () => boolean,
  ): Promise<boolean> {
    const { headers } = await import("@nats-io/transport-node");
    const reply = await untilAnswered(async () => {
      const options = headers();
      if (isFirst) options.set("Nats-Expected-Last-Subject-Sequence", "0");
      const answer = toRecord(await request(connected(), prefix + key, value, options));
      const { error } = answer;
      if (isRecord(error) && error.err_code !== errorCodes.wrongSequence)
        throw new Error(String(error.description));
      return answer;
    }, isNeeded);
    return reply.error === undefined;
  }

  return {
    async create(key, value, isNeeded) {
      if (await put(key, value, true, isNeeded)) return undefined;
      for (let attempt = 0; attempt < 10; attempt++) {
        const found = await read(key, isNeeded);
        if (found !== undefined) return found;
        // A replica of the bucket that lags behind.
        await new Promise((resolve) => setTimeout(resolve, waits.againMs));
      }
      throw unavailable(`An entry of ${stream} cannot be read.`);
    },
    async update(key, value, isNeeded) {
      await put(key, value, false, isNeeded);
    },
    read,
  };
}

function request(
  connection: NatsConnection,
  subject: string,
  payload?: Uint8Array,
  headers?: Msg["headers"],
): Promise<Msg> {
  return connection.request(subject, payload, {
    timeout: waits.answerMs,
    ...(headers !== undefined && { headers }),
  });
}

async function requestApi(
  connection: NatsConnection,
  action: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const payload = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  try {
    const options = { timeout: 5 * waits.answerMs };
    return toRecord(await connection.request(`$JS.API.${action}`, payload, options));
  } catch (thrown) {
    throw isRefused(thrown) ? thrown : unavailable(explain(thrown, action), thrown);
  }
}

function toRecord(message: Msg): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = message.json();
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Whether the server does not allow it. */
function isRefused(thrown: unknown): boolean {
  return nameOf(thrown).includes("PermissionViolation");
}

/** Whether nothing receives it: there is no bucket, or no JetStream. */
function isMissing(thrown: unknown): boolean {
  return nameOf(thrown).includes("NoResponders");
}

function isTimeout(thrown: unknown): boolean {
  const { cause } = thrown instanceof Error ? thrown : {};
  return nameOf(cause).includes("TimeoutError");
}

/** Name of an error, and of what caused it. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  return `${thrown.name} ${thrown.cause instanceof Error ? thrown.cause.name : ""}`;
}

function explain(thrown: unknown, what: string): string {
  if (isMissing(thrown))
    return `There is no bucket ${what}, its server is down, or the server has no JetStream.`;
  if (isRefused(thrown)) return `This process has no permission for ${what}.`;
  const text = thrown instanceof Error ? thrown.message.slice(0, 200) : "unknown";
  return `The server does not answer for ${what} (${text}).`;
}

function unavailable(message: string, cause?: unknown): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", message, {
    suggestion:
      "Start the server with JetStream (`nats-server -js`), and make the buckets: `constellation nats setup`.",
    ...(cause !== undefined && { cause }),
  });
}
