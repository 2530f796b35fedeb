import { randomUUID } from "node:crypto";
import type {
  CallLedger,
  Context,
  ErrorInfo,
  RemoteCall,
  Thread,
  TraceContext,
} from "@constellation/core";
import { attributes, isErrorCode, MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import {
  type CallEnvelope,
  maxMetadataLength,
  maxRemainingMs,
  maxThreadLength,
} from "./call-envelope.js";
import { type CallSpanDetails, openClientSpan } from "./call-spans.js";
import type { OutgoingCallOptions } from "./outgoing-options.js";
import { decodeReport } from "./remote-report.js";

/**
 * One call that a librarian makes to another mesh.
 *
 * @beta
 */
export interface OutgoingCall {
  /**
   * Its envelope. The first call of this function takes a share of the hops and the budget, so call
   * it only for a peer that reads envelopes; further calls return the same one.
   *
   * @returns `undefined` for a context that no router made: there is no path to carry.
   * @throws MeshError `INVALID_QUERY` for metadata that is too large.
   */
  envelope(): CallEnvelope | undefined;
  /** Lends hops and budget to the other process. `undefined` before the envelope, and for another mesh. */
  ledger(): CallLedger | undefined;
  /** Call it when the process was lost and the call is sent to another one. */
  resent(): void;
  /** Trace context of its CLIENT span, which is sent with the call. */
  readonly trace: TraceContext | undefined;
  /** Calls `work` with that span as the active one. */
  within<Result>(work: () => Result): Result;
  /**
   * The other process is about to change something: the calls above this one are not repeated.
   *
   * @returns Resolves when the callers of this run know too; `undefined`: there are none.
   * @throws MeshError where one of them does not want it any more, or could not be reached.
   */
  written(): Promise<void> | undefined;
  /**
   * Ends the call: releases the unused share, records what the other mesh did, and ends the span. A further
   * call corrects that by a report that came late.
   *
   * @param reply - The unread envelope of the reply. With `undefined`, the whole share counts as used.
   * @param failure - The exception of a failed call.
   */
  end(reply?: unknown, failure?: unknown): void;
}

/** Share and bounds of the time that a caller reserves for the reply to arrive, in milliseconds. */
const reserve = { share: 0.05, min: 10, max: 250 };

/**
 * Options of {@link openCall}.
 *
 * @beta
 */
export interface OpenCallOptions extends OutgoingCallOptions {
  /**
   * Whether the call is for the librarian of `context` itself, in another process of its mesh. It is then on
   * the path once, and not as a bridge, is one hop, and leases what it needs beyond that.
   *
   * @default false
   */
  readonly isSameLibrarian?: boolean | undefined;
  /** Id of the call and key of the work, for a call that must not be done twice. Default: a random id, and no key. */
  readonly repeat?: { readonly requestId: string; readonly idempotencyKey: string } | undefined;
  /** Attributes of its span. The defaults name the librarian of `context`. */
  readonly span?: Partial<CallSpanDetails> | undefined;
}

/**
 * Opens a call to another mesh, from the hop of `context`, which is a bridge on the path.
 *
 * @beta
 */
export function openCall(context: Context, options: OpenCallOptions = {}): OutgoingCall {
  let opened: { readonly call: RemoteCall; readonly envelope: CallEnvelope } | undefined;
  const id = context.librarian?.id ?? "another mesh";
  const span = openClientSpan(
    {
      name: options.span?.name ?? `call ${id}`,
      attributes: { [attributes.librarianId]: id, ...options.span?.attributes },
    },
    context.trace,
  );

  return {
    envelope() {
      if (opened !== undefined) return opened.envelope;
      if (context.openRemoteCall === undefined) return undefined;
      const carried = carriedBy(context, options); // may throw: nothing is reserved before
      const baggage = span.baggage(options.forwardBaggage ?? "none");
      const call = context.openRemoteCall({ isLeased: options.isSameLibrarian === true });
      const envelope = createEnvelope(call, context, carried, options);
      opened = { call, envelope: baggage === undefined ? envelope : { ...envelope, baggage } };
      return opened.envelope;
    },
    ledger: () => opened?.call.ledger,
    resent: () => opened?.call.resent(),
    trace: span.place,
    within: span.within,
    written: () => opened?.call.written(),
    end(reply, failure) {
      const report = decodeReport(reply);
      opened?.call.end(report);
      const { host, hops = [] } = report?.run ?? {};
      span.end(
        failure === undefined ? findError(reply) : MeshError.from(failure, id).toInfo(),
        host !== undefined && hops.length > 0 ? { [attributes.remoteHost]: host } : {},
      );
    },
  };
}

/** The error of a reply without an answer. */
function findError(reply: unknown): ErrorInfo | undefined {
  const response = isRecord(reply) && isRecord(reply.response) ? reply.response : {};
  const { answer, error } = response;
  if (answer !== undefined || !isRecord(error) || !isErrorCode(error.code)) return undefined;
  return { code: error.code, message: "" };
}

function createEnvelope(
  { path, depth, maxDepth, runId, hopsLeft, budget, ledger }: RemoteCall,
  context: Context,
  carried: Pick<CallEnvelope, "user" | "thread" | "metadata">,
  { isSameLibrarian = false, repeat }: OpenCallOptions,
): CallEnvelope {
  const above = path.slice(0, -1);
  const bridge = path.slice(-1).map((entry) => ({ ...entry, isBridge: true }));
  const remaining = context.remainingMs?.() ?? Number.POSITIVE_INFINITY;
  const kept = Math.min(reserve.max, Math.max(reserve.min, remaining * reserve.share));
  const remainingMs = Math.max(1, Math.floor(remaining - kept));
  return {
    v: 1,
    path: isSameLibrarian ? above : [...above, ...bridge],
    depth,
    ...(maxDepth !== Number.POSITIVE_INFINITY && { maxDepth }),
    ...(remainingMs <= maxRemainingMs && { remainingMs }),
    ...(hopsLeft !== undefined && { hopsLeft }),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(ledger !== undefined && { lease: true }),
    requestId: repeat?.requestId ?? randomUUID(),
    ...(repeat !== undefined && { idempotencyKey: repeat.idempotencyKey }),
    runId,
    ...carried,
  };
}

function carriedBy(
  { user, thread, metadata }: Context,
  { sendUser = false, forwardMetadata = "all" }: OutgoingCallOptions,
): Pick<CallEnvelope, "user" | "thread" | "metadata"> {
  // Copies enumerable keys only, which leaves out the secrets of this librarian.
  const keys = Object.keys(metadata ?? {}).filter(
    (key) =>
      forwardMetadata === "all" || (forwardMetadata !== "none" && forwardMetadata.includes(key)),
  );
  const kept: Record<string, unknown> = {};
  let length = 0;
  for (const key of keys) {
    const json = tryStringify(metadata?.[key]);
    if (json === undefined) continue; // not data, such as a function
    length += key.length + json.length;
    kept[key] = JSON.parse(json);
  }
  if (length > maxMetadataLength) {
    throw new MeshError(
      "INVALID_QUERY",
      `The metadata for another mesh has ${length} characters of JSON; the maximum is ${maxMetadataLength}.`,
      {
        suggestion:
          "Send only the keys it needs: set `forwardMetadata` of the librarian that calls it.",
      },
    );
  }
  return {
    ...(sendUser && user !== undefined && { user }),
    ...(sendUser && thread !== undefined && { thread: lastTurns(thread) }),
    ...(length > 0 && { metadata: kept }),
  };
}

/** The thread with as many of its last turns as an envelope may carry. */
function lastTurns({ id, turns }: Thread): Thread {
  let left = maxThreadLength - id.length - 2; // the brackets
  const first = turns.findLastIndex((turn) => {
    left -= JSON.stringify(turn).length + 1; // its comma
    return left < 0;
  });
  return { id, turns: turns.slice(first + 1) };
}

function tryStringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // a cycle, or a bigint
  }
}
