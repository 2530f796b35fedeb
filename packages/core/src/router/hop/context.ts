import type { Context } from "../../contract/context.js";
import { checkDelegationOptions } from "../../contract/delegation-options.js";
import type { Response } from "../../contract/response.js";
import type { Slot } from "../../resilience/slot-pool.js";
import { now } from "../run/deadline-timer.js";
import { notText } from "../run/errors.js";
import { askedHop } from "../run/hop.js";
import { aiOf } from "../run/hop-ai.js";
import { errorOf } from "../run/hop-error.js";
import { chainOf } from "../run/hop-path.js";
import { signalOf } from "../run/invoke.js";
import type { Hop } from "../run/model.js";
import { metadataFor } from "../run/secrets.js";
import { availableTo, unavailableTo } from "./available-delegates.js";
import { callPathOf, openRemoteCall } from "./remote-call.js";

/** What a librarian reads in its context, and where that comes from: made when it is read. */
const fields: { readonly [Name in keyof Context]-?: (hop: Hop) => Context[Name] } = {
  librarian: (hop) => hop.registration?.info,
  user: (hop) => hop.user,
  trace: (hop) => hop.run.observer?.traceOf(hop) ?? hop.run.callerTrace,
  delegationChain: chainOf,
  callPath: callPathOf,
  ai: (hop) => aiOf(hop, hop),
  availableDelegates: availableTo,
  unavailableDelegates: unavailableTo,
  metadata: metadataOf,
  signal: signalOf,
  deadline: deadlineOf,
  remainingMs: (hop) => () => Math.max(0, hop.endsAt - now()),
  requestId: (hop) => hop.run.id,
  originalQuery: (hop) => hop.run.query,
  depth: (hop) => hop.depth,
  openRemoteCall: (hop) => () => openRemoteCall(hop),
  ask: (hop) => (query, options) => ask(hop, query, options),
  report: (hop) => (progress) => {
    if (hop.state === "pending") hop.run.observer?.progressed(hop, progress);
  },
};

const names = Object.keys(fields);

/**
 * The context of a hop: a read-only view, so that a hop pays only for what its librarian reads. An
 * object with all fields filled in costs as much as the rest of the hop, and a thousand times more
 * where `availableDelegates` is long.
 */
export function contextOf(hop: Hop): Context {
  // Each name in `fields` gives the type that Context has for it.
  return new Proxy(hop, view) as unknown as Context;
}

const view: ProxyHandler<Hop> = {
  get: (hop, name) => read(hop, name),
  has: (_hop, name) => typeof name === "string" && Object.hasOwn(fields, name),
  ownKeys: () => names,
  getOwnPropertyDescriptor(hop, name) {
    if (typeof name !== "string" || !Object.hasOwn(fields, name)) return undefined;
    // Described as configurable, because the hop behind it has no such property.
    return { value: read(hop, name), enumerable: true, configurable: true, writable: false };
  },
  getPrototypeOf: () => Object.prototype,
  set: refuseWrite,
  defineProperty: refuseWrite,
  deleteProperty: refuseWrite,
  setPrototypeOf: () => refuseWrite(undefined, "prototype"),
  preventExtensions: () => refuseWrite(undefined, "extensibility"),
};

function read(hop: Hop, name: string | symbol): unknown {
  if (typeof name !== "string") return undefined;
  return Object.hasOwn(fields, name) ? fields[name as keyof Context](hop) : undefined;
}

function refuseWrite(_hop: unknown, name: string | symbol): never {
  throw new TypeError(
    `The context is read-only: "${String(name)}" was not changed. Data for librarians downstream goes into delegate.context.`,
  );
}

function metadataOf(hop: Hop): Context["metadata"] {
  const { secrets, mesh } = hop.run;
  const keys = mesh.settings.secrets;
  if (secrets === undefined || keys === undefined) return hop.metadata;
  return metadataFor(hop.to, hop.metadata, secrets, keys);
}

/** Epoch milliseconds at which a hop is stopped. */
function deadlineOf({ run, endsAt }: Hop): number {
  run.limits.epoch ??= Date.now() - now();
  return Math.round(run.limits.epoch + endsAt);
}

function ask(hop: Hop, query: unknown, options: unknown): Promise<Response> {
  const checked = checkDelegationOptions(options);
  if (typeof query !== "string") {
    return Promise.resolve({ error: errorOf(hop, notText(query)) });
  }
  const asked = askedHop(hop, query, checked);
  const { follow } = hop.run.mesh;
  const slot = hop.extras?.slot;
  return slot === undefined ? follow(asked) : lendingSlot(slot, () => follow(asked));
}

/** Lends the slot of a librarian to others while it waits. */
async function lendingSlot(slot: Slot, work: () => Promise<Response>): Promise<Response> {
  slot.lend();
  const response = await work();
  await slot.resume();
  return response;
}
