import type { AnswerEstimate, AnswerProbe, Router, User } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import type { Transport } from "./transport.js";

/** Maximum number of characters of a query that a probe carries, and of librarians that it names. */
const maxQueryLength = 2_000;
const maxNamed = 64;
/** Limits of kept estimates: age, in milliseconds, and number. */
const kept = { ms: 30_000, max: 5_000 };

/** Estimates for one probe, by the id of the librarian: collected, and sent as one message to each process. */
interface Batch {
  readonly ids: string[];
  readonly found: Promise<ReadonlyMap<string, unknown>>;
}

/** An estimate, and when it came. */
interface Kept {
  readonly estimate: AnswerEstimate;
  readonly at: number;
}

/**
 * Creates the estimates of librarians in other processes. All that are probed at once are asked by one message to each
 * process. An estimate that comes late is kept for the next probe; estimates for another version of the content are
 * dropped.
 */
export function createRemoteEstimates(transport: Transport) {
  const batches = new WeakMap<AbortSignal, Batch>();
  const known = new Map<string, Kept>();
  const versions = new Map<string, string>();

  const keep = (key: string, id: string, value: unknown): void => {
    if (!isEstimate(value) || value.version === undefined) return;
    if (versions.get(id) !== value.version) {
      versions.set(id, value.version);
      for (const each of known.keys()) if (each.startsWith(`${id}\n`)) known.delete(each);
    }
    for (const oldest of known.keys()) {
      if (known.size < kept.max) break;
      known.delete(oldest);
    }
    known.set(key, { estimate: value, at: performance.now() });
  };

  const open = (probe: AnswerProbe): Batch => {
    const ids: string[] = [];
    // All librarians of one probe are asked in the same turn.
    const found = Promise.resolve().then(() => send(probe, ids));
    const batch = { ids, found };
    batches.set(probe.signal, batch);
    return batch;
  };

  const send = async (probe: AnswerProbe, ids: readonly string[]) => {
    const { query, vector, user, deadline } = probe;
    const content = {
      query: query.slice(0, maxQueryLength),
      user,
      timeoutMs: Math.max(1, deadline - Date.now()),
      ...(vector && { vector: { embedder: vector.embedder, values: encodeVector(vector.values) } }),
    };
    const replies = await Promise.all(
      [...groupByProcess(ids, transport)].map(([node, librarians]) =>
        transport.probe(node, { ...content, librarians }),
      ),
    );
    return new Map(replies.flatMap((reply) => (isRecord(reply) ? Object.entries(reply) : [])));
  };

  return async (id: string, probe: AnswerProbe): Promise<AnswerEstimate | undefined> => {
    const key = `${id}\n${JSON.stringify([probe.query, probe.user, probe.vector?.embedder])}`;
    const before = known.get(key);
    if (before !== undefined && performance.now() - before.at < kept.ms) return before.estimate;
    const batch = batches.get(probe.signal) ?? open(probe);
    batch.ids.push(id);
    const value = (await batch.found).get(id);
    keep(key, id, value);
    return isEstimate(value) ? value : undefined;
  };
}

/** The smallest set of processes that serve the librarians, with the librarians that each is asked about. */
function groupByProcess(
  ids: readonly string[],
  transport: Transport,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  const serving = new Map<string, number>();
  const nodes = new Map(ids.map((id) => [id, transport.replicas(id).map(({ id: node }) => node)]));
  for (const all of nodes.values())
    for (const node of all) serving.set(node, (serving.get(node) ?? 0) + 1);
  for (const [id, all] of nodes) {
    const [node] = all.toSorted((a, b) => (serving.get(b) ?? 0) - (serving.get(a) ?? 0));
    if (node !== undefined) groups.set(node, [...(groups.get(node) ?? []), id]);
  }
  return groups;
}

/**
 * Answers a probe of another process, for the librarians that this router serves and that the user may ask.
 *
 * @param content - As `createRemoteEstimates` sends it.
 * @param isTrusted - Whether the caller may name the user.
 */
export async function answerProbe(
  router: Router,
  served: ReadonlySet<string>,
  content: unknown,
  isTrusted: boolean,
): Promise<Readonly<Record<string, AnswerEstimate>>> {
  const { query, librarians, vector, user, timeoutMs } = isRecord(content) ? content : {};
  if (typeof query !== "string" || !Array.isArray(librarians)) return {};
  const to = librarians.slice(0, maxNamed).filter((id) => served.has(id));
  const values = isRecord(vector) ? decodeVector(vector.values) : undefined;
  const embedder = isRecord(vector) ? vector.embedder : undefined;
  const estimates = await router.probe(query.slice(0, maxQueryLength), {
    to,
    ...(isTrusted && isUser(user) && { user }),
    ...(values !== undefined && typeof embedder === "string" && { vector: { embedder, values } }),
    timeoutMs: typeof timeoutMs === "number" ? Math.min(1_000, Math.max(1, timeoutMs)) : 20,
  });
  return Object.fromEntries(estimates);
}

function isUser(value: unknown): value is User {
  return isRecord(value) && typeof value.id === "string" && value.id !== "";
}

/** The router checks and rounds estimates. */
function isEstimate(value: unknown): value is AnswerEstimate {
  return isRecord(value) && typeof value.chance === "number";
}

function encodeVector({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function decodeVector(text: unknown): Float32Array | undefined {
  if (typeof text !== "string" || text.length > 100_000) return undefined;
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}
