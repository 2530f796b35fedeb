import { type Context, checkDelegationOptions, type HopContext } from "../../contract/context.js";
import type { Response } from "../../contract/response.js";
import type { Slot } from "../../resilience/slot-pool.js";
import { signalOf } from "../run/calls.js";
import { now } from "../run/deadline-timer.js";
import { errorOf, notText } from "../run/errors.js";
import { askedHop, chainOf } from "../run/hop.js";
import type { Hop, StartFollow } from "../run/model.js";
import { metadataFor } from "../run/secrets.js";
import { modelFor, ownModelFor } from "../run/within-budget.js";
import { availableTo, unavailableTo } from "./available-delegates.js";
import { approve, askUser, idempotencyKeyOf, runStep, waitForEvent } from "./durable.js";
import { probeDelegates } from "./probe.js";
import { buildCallPath, openRemoteCall } from "./remote-call.js";

type Fields = { readonly [Name in keyof Context]-?: (hop: Hop) => HopContext[Name] };

/** The fields of a context except `ask`, and where each comes from: computed when read. */
const fieldsOfHop: Omit<Fields, "ask"> = {
  librarian: (hop) => hop.registration?.info ?? { id: hop.to },
  user: (hop) => hop.user,
  trace: (hop) => hop.run.observer?.traceOf(hop) ?? hop.run.callerTrace,
  delegationChain: chainOf,
  callPath: buildCallPath,
  ai: (hop) => modelFor(hop, hop),
  withinBudget: (hop) => (client) => ownModelFor(hop, hop, client),
  availableDelegates: availableTo,
  unavailableDelegates: unavailableTo,
  metadata: readMetadata,
  observed: (hop) => (value) => hop.dataScope.observed(value),
  signal: signalOf,
  deadline: readDeadline,
  remainingMs: (hop) => () => Math.max(0, hop.workEndsAt - now()),
  requestId: (hop) => hop.run.id,
  originalQuery: (hop) => hop.run.query,
  thread: (hop) => hop.run.thread,
  depth: (hop) => hop.depth,
  openRemoteCall: (hop) => (options) => openRemoteCall(hop, options),
  probe: (hop) => (query, options) => probeDelegates(hop, query, options),
  idempotencyKey: idempotencyKeyOf,
  step: (hop) => (name, work, options) => runStep(hop, name, work, options),
  approve: (hop) => (request) => approve(hop, request),
  askUser: (hop) => (question, schema, options) => askUser(hop, question, schema, options),
  waitFor: (hop) => (name, options) => waitForEvent(hop, name, options),
  report: (hop) => (progress) => {
    if (hop.state === "pending") hop.run.observer?.progressed(hop, progress);
  },
};

/**
 * Creates the factory of contexts: a read-only view of a hop, so that a hop pays only for what its librarian reads.
 * An object with all fields filled in costs as much as the rest of the hop, and a
 * thousand times more where `availableDelegates` is long.
 *
 * @param startFollow - Follows the queries that a librarian makes.
 */
export function createContextFactory(startFollow: StartFollow): (hop: Hop) => HopContext {
  const fields: Fields = {
    ...fieldsOfHop,
    ask: (hop) => (query, options) => ask(hop, query, options, startFollow),
  };
  const names = Object.keys(fields);
  const read = (hop: Hop, name: string | symbol): unknown =>
    typeof name === "string" && Object.hasOwn(fields, name)
      ? fields[name as keyof Context](hop)
      : undefined;

  const view: ProxyHandler<Hop> = {
    get: read,
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
  // Each name in `fields` gives the type that HopContext has for it.
  return (hop) => new Proxy(hop, view) as unknown as HopContext;
}

function refuseWrite(_hop: unknown, name: string | symbol): never {
  throw new TypeError(
    `The context is read-only: "${String(name)}" was not changed. Data for librarians downstream goes into delegate.context.`,
  );
}

const noMetadata: HopContext["metadata"] = Object.freeze({});

function readMetadata(hop: Hop): HopContext["metadata"] {
  const { secrets, mesh } = hop.run;
  const keys = mesh.settings.secrets;
  if (secrets === undefined || keys === undefined) return hop.metadata ?? noMetadata;
  return metadataFor(hop.to, hop.metadata, secrets, keys) ?? noMetadata;
}

/** Epoch milliseconds at which a hop is stopped. */
function readDeadline({ run, workEndsAt }: Hop): number {
  run.limits.epoch ??= Date.now() - now();
  return Math.round(run.limits.epoch + workEndsAt);
}

function ask(
  hop: Hop,
  query: unknown,
  options: unknown,
  startFollow: StartFollow,
): Promise<Response> {
  const checked = checkDelegationOptions(options);
  if (typeof query !== "string") {
    return Promise.resolve({ error: errorOf(hop, notText(query)) });
  }
  if (hop.extras?.waiting !== undefined) return Promise.reject(hop.extras.waiting);
  const asked = askedHop(hop, query, checked);
  const response = () => new Promise<Response>((done) => startFollow(asked, done));
  const slot = hop.extras?.slot;
  const responded = slot === undefined ? response() : lendingSlot(slot, response);
  return hop.run.journal === undefined ? responded : unlessWaiting(hop, responded);
}

/**
 * Rejects when the called librarian waits: the calling one then ends too, and both are called again with the answer.
 */
function unlessWaiting(hop: Hop, responded: Promise<Response>): Promise<Response> {
  const checked = responded.then((response) => {
    if (hop.extras?.waiting !== undefined) throw hop.extras.waiting;
    return response;
  });
  checked.catch(() => undefined); // the librarian may not await it
  return checked;
}

/** Lends the slot of a librarian to others while it waits. */
async function lendingSlot(slot: Slot, work: () => Promise<Response>): Promise<Response> {
  slot.lend();
  const response = await work();
  await slot.resume();
  return response;
}
