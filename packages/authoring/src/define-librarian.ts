import { types } from "node:util";
import {
  type Context,
  type HopContext,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
  toAbortError,
  withDeadline,
} from "@constellation/core";
import { withoutJournal } from "@constellation/core/checks";
import { z } from "zod";
import { parseOptions } from "./parse-options.js";

/** A definition without its function. */
export type LibrarianDetails = Omit<LibrarianDefinition, "librarian">;

/** A context whose metadata has a known type. */
export interface TypedContext<Metadata> extends Omit<HopContext, "metadata"> {
  readonly metadata: Metadata;
}

/**
 * Answers one query.
 *
 * @param query - Not blank.
 * @param context - The context of this hop, complete even where the librarian was called directly. Its `signal`
 * aborts at the
 *   deadline or when the caller cancels, with a `MeshError`.
 */
export type Answer<Metadata = HopContext["metadata"]> = (
  query: string,
  context: TypedContext<Metadata>,
) => Promise<Response> | Response;

/**
 * Creates a definition from a function that answers, and adds what callers expect of every librarian:
 *
 * - a query that is blank or not text is `INVALID_QUERY`;
 * - it ends at the deadline and on abort with `TIMEOUT`, also when `answer` never does;
 * - called directly, with a partial context or none, it still gets a whole one;
 * - metadata that does not fit `details.metadata` is `INVALID_QUERY` and names the key. The schema only checks, and gives
 * `context.metadata` its type: its transforms and defaults are not applied, so that observed values stay observed;
 * - a `MeshError` that `answer` throws is the response's error, with the librarian's id; any other exception becomes
 * `INTERNAL_ERROR`, without its text.
 *
 * The librarian never rejects.
 */
export function defineLibrarian<Metadata = HopContext["metadata"]>(
  {
    metadata: schema,
    ...details
  }: LibrarianDetails & { readonly metadata?: z.ZodType<unknown, Metadata> | undefined },
  answer: Answer<Metadata>,
): LibrarianDefinition<Librarian> {
  // As a field, so that a message names the whole path: `metadata.ticket: expected number, got "7".`
  const contextSchema = schema && z.object({ metadata: schema });
  const librarian: Librarian = async (query, context = {}) => {
    const id = context.librarian?.id ?? details.id;
    const { signal } = context;
    try {
      if (typeof query !== "string" || query.trim() === "") throw blankQuery(query);
      return await withDeadline(context, (ends) =>
        answer(
          query,
          typedContext(
            isOfRouter(context) ? context : completeContext(query, context, details, ends),
            contextSchema,
          ),
        ),
      );
    } catch (thrown) {
      // After a cancellation, that is the cause, whatever was thrown.
      const cause = signal?.aborted === true ? toAbortError(signal) : thrown;
      return { error: { ...MeshError.from(cause, id).toInfo(), librarian: id } };
    }
  };
  return { ...details, librarian };
}

/** @throws MeshError for metadata that does not fit. */
function typedContext<Metadata>(
  context: HopContext,
  schema: z.ZodType | undefined,
): TypedContext<Metadata> {
  try {
    if (schema !== undefined) {
      parseOptions(schema, { metadata: context.metadata }, { at: "context" });
    }
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw new MeshError("INVALID_QUERY", thrown.message, {
      suggestion: "Ask with the metadata that the librarian expects.",
    });
  }
  // Proven by the schema; without one Metadata is what every context has.
  return context as TypedContext<Metadata>;
}

/** Whether a router made the context: it is a view then, whose signal aborts at its deadline. */
function isOfRouter(context: Context): context is HopContext {
  return types.isProxy(context);
}

/**
 * The whole context for a librarian without a router, in which `ask` finds no one. Its signal aborts when the call
 * ends.
 */
function completeContext(
  query: string,
  given: Context,
  { id, description }: LibrarianDetails,
  signal: AbortSignal,
): HopContext {
  const deadline = given.deadline ?? Number.POSITIVE_INFINITY;
  const durable = withoutJournal(id, signal);
  return {
    user: given.user,
    trace: given.trace,
    callPath: given.callPath,
    openRemoteCall: given.openRemoteCall,
    ai: given.ai,
    withinBudget: given.withinBudget ?? ((client) => client),
    librarian: given.librarian ?? { id, description },
    delegationChain: given.delegationChain ?? [],
    availableDelegates: given.availableDelegates ?? [],
    unavailableDelegates: given.unavailableDelegates ?? [],
    metadata: given.metadata ?? {},
    observed: given.observed ?? (() => undefined),
    signal,
    deadline,
    remainingMs: given.remainingMs ?? (() => Math.max(0, deadline - Date.now())),
    requestId: given.requestId ?? "",
    originalQuery: given.originalQuery ?? query,
    depth: given.depth ?? 0,
    ask: given.ask ?? ((_query, { to }) => Promise.resolve(notInMesh(to))),
    probe: given.probe ?? (() => Promise.resolve(new Map())),
    report: given.report ?? (() => undefined),
    idempotencyKey: given.idempotencyKey ?? durable.idempotencyKey,
    step: given.step ?? durable.step,
    approve: given.approve ?? durable.approve,
    askUser: given.askUser ?? durable.askUser,
    waitFor: given.waitFor ?? durable.waitFor,
  };
}

function notInMesh(to: string): Response {
  const error = new MeshError("DELEGATION_FAILED", `No librarian has the id "${to}".`, {
    reason: "unknown-librarian",
    suggestion: "Register both librarians with a router, and ask through it.",
  });
  return { error: error.toInfo() };
}

function blankQuery(query: unknown): MeshError {
  const what = typeof query === "string" ? "blank" : "not text";
  return new MeshError("INVALID_QUERY", `The query is ${what}.`, {
    suggestion: "Ask a question in words.",
  });
}
