import type { AskOptions, Router } from "@constellation/core";
import { attributes, MeshError } from "@constellation/core";
import { describeValue } from "@constellation/core/checks";
import { isTrustedPeer, toAskOptions } from "./envelope/ask-options.js";
import { decodeCall } from "./envelope/call-envelope.js";
import { openServerSpan } from "./envelope/call-spans.js";
import { encodeReport } from "./envelope/remote-report.js";
import { type ReplyEnvelope, refuseCall, replyTo } from "./envelope/reply-envelope.js";
import { createRemoteLedger } from "./leases.js";
import { answerProbe } from "./probes.js";
import { lateReports } from "./remote-librarian.js";
import type { ReceivedCall, Transport } from "./transport.js";

/**
 * Which librarians of a router other processes may call, and on whose behalf.
 *
 * @beta
 */
export interface ServeLibrariansOptions {
  /** Ids. Default: all that are registered now. */
  readonly librarians?: readonly string[] | undefined;
  /**
   * Names of processes whose calls may name the user they are made for, as the message system
   * authenticated them: see the transport's option `caller`. `"all"` trusts every process that can publish
   * to the mesh. Calls of any other process have no user.
   *
   * @default []
   */
  readonly trustedPeers?: readonly string[] | "all" | undefined;
}

/** Maximum length of a reply's metadata between processes of one mesh, in characters of its JSON. */
const maxMetadataLength = 16_777_216;

/**
 * Serves librarians of a router to other processes. Several processes that serve the same one share
 * its calls.
 *
 * @returns Stops serving: resolves when the calls in progress have ended.
 * @throws RangeError for an id that is not registered.
 *
 * @beta
 */
export function serveLibrarians(
  router: Router,
  transport: Transport,
  options: ServeLibrariansOptions = {},
): () => Promise<void> {
  const { librarians, trustedPeers = [] } = options;
  const known = new Map(router.list().map((info) => [info.id, info]));
  const served = (librarians ?? [...known.keys()]).map((id) => {
    const info = known.get(id);
    if (info !== undefined) return info;
    throw new RangeError(
      `librarians: ${describeValue(id)} is not registered. Registered: ${[...known.keys()].slice(0, 20).join(", ")}.`,
    );
  });
  const stops = served.map((info) =>
    transport.serve(info, (call) =>
      answer({ router, to: info.id, trustedPeers, carrier: transport.carrier }, call),
    ),
  );
  const ids = new Set(served.map(({ id }) => id));
  const stopProbes =
    ids.size === 0
      ? undefined
      : transport.serveProbes((caller, content) =>
          answerProbe(
            router,
            ids,
            content,
            isTrustedPeer({ user: undefined, peer: caller, trustedPeers }),
          ),
        );
  return async () => {
    stopProbes?.();
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** The handler of calls of one librarian. */
interface Serving {
  readonly router: Router;
  readonly to: string;
  readonly trustedPeers: readonly string[] | "all";
  readonly carrier: string;
}

async function answer(serving: Serving, call: ReceivedCall): Promise<ReplyEnvelope> {
  const { router, to, trustedPeers, carrier } = serving;
  try {
    const incoming = decodeCall(call.envelope);
    const { requestId, idempotencyKey, baggage } = incoming;
    const authority = { user: undefined, peer: call.caller, trustedPeers };
    const { caller, ...onBehalf } = toAskOptions(incoming, authority);
    const span = openServerSpan(
      {
        name: `serve ${to}`,
        attributes: { [attributes.librarianId]: to, [attributes.carrier]: carrier },
      },
      { trace: call.trace, baggage },
    );
    const trace = span.place;
    const options: AskOptions = {
      ...onBehalf,
      to,
      caller: {
        ...caller,
        ...(incoming.isLeased && { ledger: createRemoteLedger(call.request) }),
        beforeWrite: call.beforeWrite,
      },
      idempotencyKey,
      ...(trace !== undefined && { trace }),
    };
    try {
      const run = span.within(() => router.start(call.query, options));
      call.cancellation.onCancel(() => run.cancel());
      const reply = await replyTo(run, requestId, maxMetadataLength, (event) => {
        if (event.type === "hop:progress") call.report(event.progress);
        if (event.type === "run:end")
          span.end(event.response.answer === undefined ? event.response.error : undefined);
      });
      if (!call.cancellation.isCancelled) return reply;
      // The caller waits only for the list of librarians that did not stop, here and in processes called from here.
      await lateReports.settled(run.id);
      return { ...reply, report: encodeReport(run.explain()) };
    } finally {
      span.end();
    }
  } catch (thrown) {
    return refuseCall(MeshError.from(thrown, to).toInfo());
  }
}
