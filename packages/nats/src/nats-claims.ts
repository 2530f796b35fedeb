import { MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import type { LinkClaims } from "@constellation/transport";
import type { Msg, NatsConnection } from "@nats-io/transport-node";

/** How long a claim is kept, in milliseconds. */
const ttlMs = 900_000;

/** Wait for one answer of the server, and for all attempts together, in milliseconds. */
const waits = { answerMs: 1_000, allMs: 5_000, againMs: 150 };

/** Error codes of JetStream. */
const errorCodes = { wrongSequence: 10_071, noStream: 10_059, nameInUse: 10_058 };

/** Names of the bucket of a mesh. */
export function claimsBucket(mesh: string): {
  readonly stream: string;
  /** Start of the subjects of its keys. */
  readonly prefix: string;
} {
  const bucket = `mesh-${mesh}-claims`;
  return { stream: `KV_${bucket}`, prefix: `$KV.${bucket}.` };
}

/** Copies of the bucket, most first: as many as the cluster has room for. */
const replicaCounts = [3, 1];

/** The configuration of the bucket: no member can purge it, or remove what another has written. */
function streamConfig(mesh: string, replicas: number): object {
  const { stream, prefix } = claimsBucket(mesh);
  return {
    name: stream,
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
 * Makes the bucket of claims, with three replicas where the cluster has them; one that has fewer gets them.
 *
 * @returns Number of its replicas.
 * @throws MeshError that says what the server refused.
 */
export async function makeClaimsBucket(connection: NatsConnection, mesh: string): Promise<number> {
  const { stream } = claimsBucket(mesh);
  const isCluster = typeof connection.info?.cluster === "string";
  const counts = isCluster ? replicaCounts : [1];
  const known = await requestApi(connection, `STREAM.INFO.${stream}`, undefined);
  const config = isRecord(known.config) ? known.config : undefined;
  const present = Number(config?.num_replicas ?? 0);
  if (present >= (counts[0] ?? 1)) return present;
  let problem: unknown;
  for (const replicas of counts) {
    if (replicas <= present) return present;
    const action = present === 0 ? "CREATE" : "UPDATE";
    const made = await requestApi(
      connection,
      `STREAM.${action}.${stream}`,
      streamConfig(mesh, replicas),
    );
    if (made.error === undefined) return replicas;
    if (isRecord(made.error) && made.error.err_code === errorCodes.nameInUse) return present;
    problem = isRecord(made.error) ? made.error.description : undefined;
  }
  throw unavailable(`The bucket ${stream} was not made: ${String(problem)}.`);
}

/** The claims of writes, in a JetStream bucket. */
export function createNatsClaims(connected: () => NatsConnection, mesh: string): LinkClaims {
  const { stream, prefix } = claimsBucket(mesh);

  /** Sends until an answer has come: an entry that was created by an attempt whose answer was lost is found. */
  async function untilAnswered<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const endsAt = performance.now() + waits.allMs;
    for (;;) {
      try {
        return await attempt();
      } catch (thrown) {
        if (isRefused(thrown) || performance.now() >= endsAt)
          throw unavailable(explain(thrown, stream), thrown);
        if (isMissing(thrown)) await makeClaimsBucket(connected(), mesh).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, waits.againMs));
      }
    }
  }

  async function read(key: string): Promise<Uint8Array | undefined> {
    const subject = `$JS.API.DIRECT.GET.${stream}.${prefix}${key}`;
    const found = await untilAnswered(() => request(connected(), subject));
    return found.headers !== undefined && found.headers.code >= 400 ? undefined : found.data;
  }

  async function put(key: string, value: Uint8Array, isFirst: boolean): Promise<boolean> {
    const { headers } = await import("@nats-io/transport-node");
    const reply = await untilAnswered(async () => {
      const options = headers();
      if (isFirst) options.set("Nats-Expected-Last-Subject-Sequence", "0");
      const answer = toRecord(await request(connected(), prefix + key, value, options));
      const { error } = answer;
      if (isRecord(error) && error.err_code !== errorCodes.wrongSequence)
        throw new Error(String(error.description));
      return answer;
    });
    return reply.error === undefined;
  }

  return {
    isShared: true,
    async prepare() {
      await makeClaimsBucket(connected(), mesh).catch((thrown: unknown) => {
        // Who may not make it relies on an administrator.
        if (!isRefused(thrown)) throw thrown;
      });
    },
    async create(key, value) {
      if (await put(key, value, true)) return undefined;
      for (let attempt = 0; attempt < 10; attempt++) {
        const found = await read(key);
        if (found !== undefined) return Buffer.from(found).equals(value) ? undefined : found;
        // A replica of the bucket that lags behind.
        await new Promise((resolve) => setTimeout(resolve, waits.againMs));
      }
      throw unavailable(`An entry of ${stream} cannot be read.`);
    },
    async update(key, value) {
      await put(key, value, false);
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
  body: object | undefined,
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

/** Name of an error, and of what caused it. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  return `${thrown.name} ${thrown.cause instanceof Error ? thrown.cause.name : ""}`;
}

function explain(thrown: unknown, what: string): string {
  if (isMissing(thrown)) return `There is no bucket ${what}, or the server has no JetStream.`;
  if (isRefused(thrown)) return `This process has no permission for ${what}.`;
  const text = thrown instanceof Error ? thrown.message.slice(0, 200) : "unknown";
  return `The server does not answer for ${what} (${text}).`;
}

function unavailable(message: string, cause?: unknown): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", message, {
    suggestion:
      "Start the server with JetStream (`nats-server -js`), and make the bucket: `constellation nats setup`.",
    ...(cause !== undefined && { cause }),
  });
}
