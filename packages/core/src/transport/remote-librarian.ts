import { defineLibrarian } from "../authoring/define-librarian.js";
import type { LibrarianDefinition } from "../contract/definition.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
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
  return defineLibrarian(
    {
      ...info,
      description,
      health: async () => {
        const present = transport.present().find((each) => each.info.id === id);
        const count = present?.replicas.length ?? 0;
        const hosts = [...new Set(present?.replicas.map(({ host }) => host))].join(", ");
        if (count === 0) return { status: "down", message: "No process serves it." };
        return {
          status: "up",
          message: `${count} ${count === 1 ? "process" : "processes"} on ${hosts}.`,
        };
      },
    },
    async (query, context, signal) => {
      const outgoing = openCall(context, {
        sendUser: true,
        forwardBaggage: "all",
        isSameLibrarian: true,
        span: { attributes: { [attributes.carrier]: transport.carrier } },
      });
      try {
        const envelope = outgoing.envelope();
        if (envelope === undefined) throw outsideRun(id);
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
    },
  );
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
