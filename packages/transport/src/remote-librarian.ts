import type {
  Context,
  Effects,
  Health,
  LibrarianDefinition,
  LibrarianInfo,
  Response,
} from "@constellation/core";
import { attributes, MeshError, validateResponse } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { openCall } from "./envelope/outgoing-call.js";
import { LateReports } from "./late-reports.js";
import { createLender } from "./leases.js";
import type { createRemoteEstimates } from "./probes.js";
import { requestIdFor } from "./request-id.js";
import type { Transport, TransportCall } from "./transport.js";

/** Reports that are still to come from processes whose calls were cancelled. */
export const lateReports = new LateReports();

/** A librarian in another process of the same mesh. */
export function remoteLibrarian(
  transport: Transport,
  info: LibrarianInfo,
  estimate: ReturnType<typeof createRemoteEstimates>,
): LibrarianDefinition {
  const { id, description = id, effects = "read" } = info;
  return {
    ...info,
    description,
    health: async () => checkReplicas(transport, id),
    canAnswer: (probe) => estimate(id, probe),
    // The router checks the query and ends the call with its signal.
    librarian: async (query, context) => {
      try {
        return await callRemote({ transport, id, effects }, query, context);
      } catch (thrown) {
        const error = { ...MeshError.from(thrown, id).toInfo(), librarian: id };
        // A second call could repeat the change.
        return error.details?.outcome === "unknown"
          ? { error: { ...error, recoverable: false } }
          : { error };
      }
    },
  };
}

/** The librarian to call, with its options. */
interface Remote {
  readonly transport: Transport;
  readonly id: string;
  readonly effects: Effects;
}

async function callRemote(
  { transport, id, effects }: Remote,
  query: string,
  context: Context,
): Promise<Response> {
  const { signal } = context;
  let isSent = false;
  let reported = () => {};
  const { idempotencyKey } = effects === "write" ? context : {};
  const outgoing = openCall(context, {
    ...(idempotencyKey !== undefined && {
      repeat: { idempotencyKey, requestId: requestIdFor(idempotencyKey, id) },
    }),
    sendUser: true,
    forwardBaggage: "all",
    isSameLibrarian: true,
    span: { attributes: { [attributes.carrier]: transport.carrier } },
  });
  try {
    const envelope = outgoing.envelope();
    if (envelope === undefined || signal === undefined) throw outsideRun(id);
    const ledger = outgoing.ledger();
    const call: TransportCall = {
      librarian: id,
      effects,
      query,
      envelope,
      trace: outgoing.trace,
      signal,
      ...(ledger !== undefined && { onRequest: createLender(ledger) }),
      onProgress: context.report,
      onResend: outgoing.resent,
      onLateReply: (late) => {
        outgoing.end(late);
        reported();
      },
      onWrite: () => outgoing.written(),
    };
    isSent = true;
    const reply = await outgoing.within(() => transport.call(call));
    outgoing.end(reply);
    return toResponse(reply, id);
  } catch (thrown) {
    if (signal?.aborted && isSent) reported = lateReports.expect(context.requestId ?? "");
    outgoing.end(undefined, thrown);
    throw thrown;
  }
}

function checkReplicas(transport: Transport, id: string): Health {
  const replicas = transport.replicas(id);
  if (replicas.length === 0) return { status: "down", message: "No process serves it." };
  const hosts = [...new Set(replicas.map(({ host }) => host))].join(", ");
  const processes = replicas.length === 1 ? "process" : "processes";
  return { status: "up", message: `${replicas.length} ${processes} on ${hosts}.` };
}

/** Reads the response of the other process, which has followed its delegates. */
function toResponse(reply: unknown, id: string): Response {
  const {
    delegate: _,
    merge: __,
    ...response
  } = isRecord(reply) && isRecord(reply.response) ? reply.response : {};
  const checked = validateResponse(response);
  if (checked.valid) return checked.response;
  throw new MeshError(
    "DATA_SOURCE_ERROR",
    `The process that serves "${id}" returned an invalid response.`,
    {
      reason: "invalid-response",
      details: { problem: checked.problem },
    },
  );
}

function outsideRun(id: string): MeshError {
  return new MeshError("INVALID_QUERY", `"${id}" is in another process, and needs a router.`, {
    suggestion: "Ask it through a router that has the transport.",
  });
}
