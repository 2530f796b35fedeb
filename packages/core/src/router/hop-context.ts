import type { Context } from "../contract/context.js";
import { checkDelegationOptions } from "../contract/delegation-options.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import type { Registry } from "../registry/registry.js";
import { traceOfSpan } from "../tracing/spans.js";
import { now } from "./alarm.js";
import { follow } from "./follow.js";
import { blankQuery } from "./guard.js";
import type { Hop } from "./hop.js";
import { reportProgress } from "./hop-report.js";

/** What a librarian reads in its context, and where that comes from: made when it is read. */
const fields: { readonly [Name in keyof Context]-?: (hop: Hop) => Context[Name] } = {
  librarian: (hop) => hop.entry?.info,
  user: (hop) => hop.run.user,
  trace: ({ run, span = run.span }) =>
    span === undefined ? run.callerTrace : traceOfSpan(span.span),
  delegationChain: (hop) => hop.chain,
  ai: (hop) => hop.ai,
  availableDelegates: availableTo,
  metadata: (hop) => hop.metadata,
  signal: (hop) => hop.signal,
  deadline: (hop) => hop.run.epochOf(hop.endsAt),
  remainingMs: (hop) => () => Math.max(0, hop.endsAt - now()),
  requestId: (hop) => hop.run.id,
  originalQuery: (hop) => hop.run.query,
  depth: (hop) => hop.depth,
  ask: (hop) => (query, options) => ask(hop, query, options),
  report: (hop) => (progress) => reportProgress(hop, progress),
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

/** What console.log shows of a context: no model client, no functions, no router inside. */
export function summaryOf(hop: Hop): object {
  const { librarian, user, delegationChain, metadata, deadline, requestId, originalQuery, depth } =
    contextOf(hop);
  return { librarian, user, delegationChain, metadata, deadline, requestId, originalQuery, depth };
}

function availableTo({ run, entry, depth, to, chain }: Hop): readonly LibrarianInfo[] {
  if (depth + 1 >= run.settings.maxDepth) return [];
  const closed = run.settings.loops === "path" ? [...chain, to] : [to];
  const declared = entry?.delegatesTo;
  if (declared === undefined) return allExcept(closed, run.registry.list());
  return infosOf(declared, run.registry).filter(({ id }) => !closed.includes(id));
}

/** Lists that were made before: the same array as long as nobody comes or goes. */
const made = new WeakMap<readonly LibrarianInfo[], Map<string, readonly LibrarianInfo[]>>();
const mostMade = 64;

/** Everyone but a few. With 40,000 registered, making the list takes longer than a query should. */
function allExcept(
  ids: readonly string[],
  all: readonly LibrarianInfo[],
): readonly LibrarianInfo[] {
  const known = made.get(all) ?? new Map<string, readonly LibrarianInfo[]>();
  made.set(all, known);
  const key = ids.join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= mostMade) known.clear();
  const list = Object.freeze(all.filter(({ id }) => !ids.includes(id)));
  known.set(key, list);
  return list;
}

/** In the order of registration, without a look at all that are registered. */
function infosOf(ids: ReadonlySet<string>, registry: Registry): readonly LibrarianInfo[] {
  return [...ids]
    .flatMap((id) => registry.get(id) ?? [])
    .sort((a, b) => a.order - b.order)
    .map(({ info }) => info);
}

function ask(hop: Hop, query: unknown, options: unknown): ReturnType<typeof follow> {
  const checked = checkDelegationOptions(options);
  if (typeof query !== "string") {
    return Promise.resolve({ error: hop.errorOf(blankQuery(query)) });
  }
  return follow(hop.askOf(query, checked));
}
