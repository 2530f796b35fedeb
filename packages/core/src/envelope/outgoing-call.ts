import { randomUUID } from "node:crypto";
import type { Context } from "../contract/context.js";
import { isErrorCode } from "../contract/error-code.js";
import type { ErrorInfo } from "../contract/error-info.js";
import { MeshError } from "../contract/mesh-error.js";
import type { RemoteCall } from "../contract/remote-call.js";
import type { TraceContext } from "../contract/trace-context.js";
import { isRecord } from "../contract/unknown-value.js";
import { attributes } from "../tracing/attributes.js";
import { type CallSpanDetails, openClientSpan } from "../tracing/call-spans.js";
import { type CallEnvelope, maxMetadataLength, maxRemainingMs } from "./call-envelope.js";
import type { OutgoingCallOptions } from "./outgoing-options.js";
import { decodeReport } from "./remote-report.js";

/** One call that a librarian makes to another mesh. */
export interface OutgoingCall {
  /**
   * Its envelope. The first call of this function reserves a share of the hops and the budget, so call
   * it only for a peer that reads envelopes; further calls return the same one.
   *
   * @returns `undefined` for a context that no router made: there is no path to carry.
   * @throws MeshError `INVALID_QUERY` for metadata that is too large.
   */
  envelope(): CallEnvelope | undefined;
  /** Place of its span in the trace, of kind CLIENT: goes along with the call. */
  readonly trace: TraceContext | undefined;
  /** Calls `work` with that span as the active one. */
  within<Result>(work: () => Result): Result;
  /**
   * The call is over: returns what was not used, records what the other mesh did, and ends the span. A
   * further call only adds to the record.
   *
   * @param reply - The reply's envelope as it came, or `undefined`: then its whole share counts as used.
   * @param failure - What was thrown, where the call failed.
   */
  end(reply?: unknown, failure?: unknown): void;
}

/** Share and bounds of the time a caller keeps for the reply to arrive, in milliseconds. */
const reserve = { share: 0.05, min: 10, max: 250 };

/** Options of {@link openCall}. */
export interface OpenCallOptions extends OutgoingCallOptions {
  /**
   * Whether the call is for the librarian of `context` itself, in another process of its mesh: then it
   * comes once on the path, and not as a bridge.
   *
   * @default false
   */
  readonly isSameLibrarian?: boolean | undefined;
  /** Its span: what is not given here names the librarian of `context`. */
  readonly span?: Partial<CallSpanDetails> | undefined;
}

/** Opens a call to another mesh, from the hop of `context`, which is a bridge on the path. */
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
      const call = context.openRemoteCall();
      const envelope = envelopeOf(call, context, carried, options);
      opened = { call, envelope: baggage === undefined ? envelope : { ...envelope, baggage } };
      return opened.envelope;
    },
    trace: span.place,
    within: span.within,
    end(reply, failure) {
      const report = decodeReport(reply);
      opened?.call.end(report);
      const { host, hops = [] } = report?.run ?? {};
      span.end(
        failure === undefined ? errorOf(reply) : MeshError.from(failure, id).toInfo(),
        host !== undefined && hops.length > 0 ? { [attributes.remoteHost]: host } : {},
      );
    },
  };
}

/** The error of a reply without an answer. */
function errorOf(reply: unknown): ErrorInfo | undefined {
  const response = isRecord(reply) && isRecord(reply.response) ? reply.response : {};
  const { answer, error } = response;
  if (answer !== undefined || !isRecord(error) || !isErrorCode(error.code)) return undefined;
  return { code: error.code, message: "" };
}

function envelopeOf(
  { path, depth, runId, hopsLeft, budget }: RemoteCall,
  context: Context,
  carried: Pick<CallEnvelope, "user" | "metadata">,
  { isSameLibrarian = false }: OpenCallOptions,
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
    ...(remainingMs <= maxRemainingMs && { remainingMs }),
    ...(hopsLeft !== undefined && { hopsLeft }),
    ...(Object.keys(budget).length > 0 && { budget }),
    requestId: randomUUID(),
    runId,
    ...carried,
  };
}

function carriedBy(
  { user, metadata }: Context,
  { sendUser = false, forwardMetadata = "all" }: OutgoingCallOptions,
): Pick<CallEnvelope, "user" | "metadata"> {
  // Only what is enumerable: secrets of this librarian are not.
  const keys = Object.keys(metadata ?? {}).filter(
    (key) =>
      forwardMetadata === "all" || (forwardMetadata !== "none" && forwardMetadata.includes(key)),
  );
  const kept: Record<string, unknown> = {};
  let length = 0;
  for (const key of keys) {
    const json = jsonOf(metadata?.[key]);
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
    ...(length > 0 && { metadata: kept }),
  };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // a cycle, or a bigint
  }
}
