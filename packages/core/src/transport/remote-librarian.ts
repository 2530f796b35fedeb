import type { Context } from "../contract/context.js";
import type { Health, LibrarianDefinition } from "../contract/definition.js";

import type { Effects, LibrarianInfo } from "../contract/librarian-info.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import { isRecord } from "../contract/unknown-value.js";
import { validateResponse } from "../contract/validate-response.js";
import { openCall } from "../envelope/outgoing-call.js";
import { attributes } from "../tracing/attributes.js";
import type { Transport, TransportCall } from "./transport.js";

/** A librarian in another process of the same mesh. */
export function remoteLibrarian(transport: Transport, info: LibrarianInfo): LibrarianDefinition {
  const { id, description = id, effects = "read" } = info;
  return {
    ...info,
    description,
    health: async () => healthOf(transport, id),
    // The router checks the query, and ends the call with its signal: nothing else has to.
    librarian: async (query, context = {}) => {
      try {
        return await callRemote({ transport, id, effects }, query, context);
      } catch (thrown) {
        return { error: { ...MeshError.from(thrown, id).toInfo(), librarian: id } };
      }
    },
  };
}

/** The librarian to call, and how. */
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
  const outgoing = openCall(context, {
    sendUser: true,
    forwardBaggage: "all",
    isSameLibrarian: true,
    span: { attributes: { [attributes.carrier]: transport.carrier } },
  });
  try {
    const envelope = outgoing.envelope();
    if (envelope === undefined || signal === undefined) throw outsideRun(id);
    const call: TransportCall = {
      librarian: id,
      effects,
      query,
      envelope,
      trace: outgoing.trace,
      signal,
      onProgress: context.report,
      onLateReply: (late) => outgoing.end(late),
    };
    const reply = await outgoing.within(() => transport.call(call));
    outgoing.end(reply);
    return responseOf(reply, id);
  } catch (thrown) {
    outgoing.end(undefined, thrown);
    throw thrown;
  }
}

function healthOf(transport: Transport, id: string): Health {
  const replicas = transport.replicas(id);
  if (replicas.length === 0) return { status: "down", message: "No process serves it." };
  const hosts = [...new Set(replicas.map(({ host }) => host))].join(", ");
  const processes = replicas.length === 1 ? "process" : "processes";
  return { status: "up", message: `${replicas.length} ${processes} on ${hosts}.` };
}

/** The response as the other process gave it. It has followed its delegates there. */
function responseOf(reply: unknown, id: string): Response {
  const {
    delegate: _,
    merge: __,
    ...response
  } = isRecord(reply) && isRecord(reply.response) ? reply.response : {};
  const checked = validateResponse(response);
  if (checked.valid) return checked.response;
  throw new MeshError(
    "DATA_SOURCE_ERROR",
    `The process that serves "${id}" gave no valid response.`,
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
