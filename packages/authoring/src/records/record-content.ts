import {
  type ErrorInfo,
  type HopRecord,
  type MeshEvent,
  type ModelCallRecord,
  type ModelContent,
  type Response,
  type RunRecord,
  recordOf,
  type Source,
} from "@constellation/core";
import { delegatesOf, thrownText, withoutUndefined } from "@constellation/core/checks";

/** Options of {@link recordContent}. */
export interface RecordContentOptions {
  /** Cleans each text. It should remove secrets: `redactSecrets`. */
  readonly clean: (text: string) => string;
  /**
   * Also records exceptions of librarians, with message and stack, for their author.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
}

/** The record of a run with its texts. */
export interface ContentRecord extends RunRecord {
  readonly hops: readonly ContentHop[];
}

/** One hop with its texts. */
export interface ContentHop extends HopRecord {
  readonly content?: HopContent | undefined;
  readonly modelCalls?: readonly ContentModelCall[] | undefined;
}

/** One call of a model, with prompt and reply. */
export interface ContentModelCall extends ModelCallRecord {
  readonly content?: ModelContent | undefined;
}

/** Texts of a hop, each cut to 16,384 characters. */
export interface HopContent {
  readonly answer?: string | undefined;
  /** The first 50. */
  readonly sources?: readonly Source[] | undefined;
  /** Query for its delegates, where it differs from its own. */
  readonly queries?: readonly { readonly to: string; readonly query: string }[] | undefined;
  /** Its metadata as JSON. */
  readonly metadata?: string | undefined;
  /** The first 200 lines of its progress. */
  readonly progress?: readonly ProgressRecord[] | undefined;
  /** The details of its error as JSON, the reason left out. */
  readonly errorDetails?: string | undefined;
  /** Its exception, with message and stack; only with `debug`. */
  readonly thrown?: string | undefined;
}

/** A line of progress. */
export interface ProgressRecord {
  /** Milliseconds from the start of the run. */
  readonly atMs: number;
  /** Cut to 500 characters. */
  readonly message: string;
}

/** Limits of what one record keeps of texts. */
const limits = { characters: 1_048_576, text: 16_384, sources: 50, progress: 200, message: 500 };

/**
 * Reads the record of one run, as `recordOf` does, with its texts: responses, progress, and calls of models
 * with prompt and reply, at most 1,048,576 characters in all.
 *
 * @param events - Of one run, from `run:start` on, in order.
 */
export function recordContent(
  events: readonly MeshEvent[],
  { clean, debug = false }: RecordContentOptions,
): ContentRecord {
  const record = recordOf(events);
  const said = new Map<number, HopContent>();
  const calls = new Map<number, ModelContent>();
  const kept = new Set(
    record.hops.flatMap(({ modelCalls = [] }) => modelCalls.map(({ id }) => id)),
  );
  const keep = createCutter(clean);
  for (const event of events) {
    if (event.type === "hop:progress" && "message" in event.progress) {
      const { progress = [], ...before } = said.get(event.hopId) ?? {};
      if (progress.length >= limits.progress) continue;
      const message = keep(event.progress.message, limits.message);
      const line = { atMs: event.at - record.startedAt, message };
      said.set(event.hopId, { ...before, progress: [...progress, line] });
    } else if (event.type === "hop:end" && event.response !== undefined) {
      const content = readResponse(event.response, keep, debug ? event.cause : undefined);
      said.set(event.hopId, { ...said.get(event.hopId), ...content });
    } else if (event.type === "model:end" && kept.has(event.callId)) {
      calls.set(event.callId, readModel(event.content, keep));
    }
  }
  const hops = record.hops.map((hop): ContentHop => {
    const content = said.get(hop.id);
    const modelCalls = hop.modelCalls?.map((call) =>
      withoutUndefined({ ...call, content: calls.get(call.id) }),
    );
    return withoutUndefined({ ...hop, content, modelCalls });
  });
  return { ...record, hops };
}

/** Cleans a text, and cuts it to its limit and to the room left in the record. */
type Cutter = (text: string, maxLength?: number) => string;

function createCutter(clean: (text: string) => string): Cutter {
  let left = limits.characters;
  return (text, maxLength = limits.text) => {
    const kept = cut(clean(text.slice(0, 2 * maxLength)), Math.min(maxLength, left));
    left -= kept.length;
    return kept;
  };
}

function readResponse(response: Response, keep: Cutter, thrown: unknown): HopContent {
  const { answer, sources, metadata, error } = response;
  const queries = delegatesOf(response).flatMap(({ to, query }) =>
    query === undefined ? [] : { to, query: keep(query) },
  );
  return withoutUndefined({
    answer: ifGiven(answer, keep),
    sources: sources
      ?.slice(0, limits.sources)
      .map(({ name, url, relevance }) =>
        withoutUndefined({ name: keep(name, 300), url: ifGiven(url, keep, 1_000), relevance }),
      ),
    queries: queries.length > 0 ? queries : undefined,
    metadata: ifGiven(metadata && toJson(metadata), keep),
    errorDetails: ifGiven(toDetails(error), keep),
    thrown: thrown === undefined ? undefined : keep(thrownText(thrown)),
  });
}

function readModel(
  { system, prompt, reply, problem, again }: ModelContent,
  keep: Cutter,
): ModelContent {
  return withoutUndefined({
    system: ifGiven(system, keep),
    prompt: keep(prompt),
    reply: ifGiven(reply, keep),
    problem: ifGiven(problem, keep, limits.message),
    again: ifGiven(again, keep, limits.message),
  });
}

function ifGiven(text: string | undefined, keep: Cutter, maxLength?: number): string | undefined {
  return text === undefined ? undefined : keep(text, maxLength);
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, Math.max(0, maxLength - 1))}…`;
}

function toDetails(error: ErrorInfo | undefined): string | undefined {
  try {
    const { reason: _, ...details } = error?.details ?? {};
    return Object.keys(details).length === 0 ? undefined : toJson(details);
  } catch {
    return undefined; // it threw while it was being read
  }
}

/** A librarian's data may be cyclic, or throw when it is read. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return undefined;
  }
}
