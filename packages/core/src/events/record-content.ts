import type { ErrorInfo } from "../contract/error-code.js";
import type { Response, Source } from "../contract/response.js";
import { thrownText, withoutUndefined } from "../contract/unknown-value.js";
import { delegatesOf } from "../contract/validate-response.js";
import type { ModelContent } from "./events.js";

/** Options of a record. */
export interface RecordOptions {
  /**
   * Adds what was said: responses, progress, and calls of models with prompt and reply, at most
   * 1,048,576 characters in all. Each text is passed through this function first, which should remove secrets:
   * `redactSecrets` of `@constellation/authoring`. Without it a record holds no such text.
   */
  readonly content?: ((text: string) => string) | undefined;
  /**
   * With `content`, also what librarians threw: message and stack, for their author.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
}

/** What a librarian said in a hop. Texts are cut to 16,384 characters. */
export interface HopContent {
  readonly answer?: string | undefined;
  /** The first 50. */
  readonly sources?: readonly Source[] | undefined;
  /** What it asked its delegates, where it differs from its own query. */
  readonly queries?: readonly { readonly to: string; readonly query: string }[] | undefined;
  /** Its metadata as JSON. */
  readonly metadata?: string | undefined;
  /** The first 200 lines of its progress. */
  readonly progress?: readonly ProgressRecord[] | undefined;
  /** The details of its error as JSON, the reason left out. */
  readonly errorDetails?: string | undefined;
  /** What it threw, message and stack; only with `debug`. */
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

/** Cleans the texts of one record, and counts them. */
export interface ContentKeeper {
  /** @param thrown - What the librarian threw, if it did. */
  response(response: Response, thrown: unknown): HopContent;
  model(content: ModelContent): ModelContent;
  /** @param before - Those that the hop has. @returns `undefined` where there is no room for another. */
  progress(
    before: readonly ProgressRecord[],
    message: string,
    atMs: number,
  ): readonly ProgressRecord[] | undefined;
}

/** @returns `undefined` where a record holds no content. */
export function createContentKeeper({
  content: clean,
  debug = false,
}: RecordOptions): ContentKeeper | undefined {
  if (clean === undefined) return undefined;
  const cleaned = clean;
  let left = limits.characters;

  function keep(text: string, maxLength = limits.text): string {
    const kept = cut(cleaned(text.slice(0, 2 * maxLength)), Math.min(maxLength, left));
    left -= kept.length;
    return kept;
  }

  const keepIfGiven = (text: string | undefined, maxLength?: number) =>
    text === undefined ? undefined : keep(text, maxLength);

  function keepSource({ name, url, relevance }: Source): Source {
    return withoutUndefined({ name: keep(name, 300), url: keepIfGiven(url, 1_000), relevance });
  }

  return {
    response(response, thrown) {
      const { answer, sources, metadata, error } = response;
      const queries = delegatesOf(response).flatMap(({ to, query }) =>
        query === undefined ? [] : { to, query: keep(query) },
      );
      return withoutUndefined({
        answer: keepIfGiven(answer),
        sources: sources?.slice(0, limits.sources).map(keepSource),
        queries: queries.length > 0 ? queries : undefined,
        metadata: keepIfGiven(metadata && toJson(metadata)),
        errorDetails: keepIfGiven(toDetails(error)),
        thrown: debug && thrown !== undefined ? keep(thrownText(thrown)) : undefined,
      });
    },
    model: ({ system, prompt, reply, problem, again }) =>
      withoutUndefined({
        system: keepIfGiven(system),
        prompt: keep(prompt),
        reply: keepIfGiven(reply),
        problem: keepIfGiven(problem, limits.message),
        again: keepIfGiven(again, limits.message),
      }),
    progress(before, message, atMs) {
      if (before.length >= limits.progress) return undefined;
      return [...before, { atMs, message: keep(message, limits.message) }];
    },
  };
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
