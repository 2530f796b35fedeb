import {
  type Context,
  type Delegate,
  type LibrarianDefinition,
  type MeshAtHealth,
  MeshError,
  type Response,
} from "@constellation/core";
import {
  defineLibrarian,
  parseOptions,
  remainingMs,
  throwIfAborted,
  withDeadline,
  withoutUndefined,
} from "@constellation/core/authoring";
import { createAnalyzer } from "@constellation/retrieval";
import { createGroupReader } from "./group/group-reader.js";
import { groupCapability, listMembers } from "./group/members.js";
import { asksWhatIsHere, introduce } from "./introduction.js";
import { createMeaningReader } from "./meaning/meaning-reader.js";
import type { Nearness } from "./meaning/nearness.js";
import { askModel } from "./model/ask-model.js";
import type { QueryAnalysis } from "./model/query-analysis.js";
import { optionsSchema, type TriageLibrarianOptions, triageLibrarianDefaults } from "./options.js";
import {
  type ChooseOptions,
  chooseDelegates,
  type RankedMatch,
} from "./ranked/choose-delegates.js";
import { createConcepts } from "./ranked/concepts.js";
import { earlierQuestion } from "./ranked/earlier-question.js";
import { createIndexCache, type FoundIndex } from "./ranked/index-cache.js";
import { createWordReader } from "./ranked/query-words.js";
import { stopWords } from "./ranked/stop-words.js";
import { type Chosen, maxReported, modelResponse, rankedResponse } from "./respond.js";
import type { TriageReport } from "./triage-report.js";
import { neededOf } from "./unavailable.js";
import { createWarmUp } from "./warm-up.js";

/**
 * Creates a librarian that answers nothing itself: it reads `context.availableDelegates` and passes
 * the query to the one who can answer it, or to several with a part each.
 *
 * Without a model it matches the words of the query with what the delegates say about themselves, and
 * with `embedder` their meaning too. With `context.ai` a model analyses the query and
 * decides among the best of that match; where it fails or is late, the match stands. It delegates only
 * to available librarians, never to itself, and says why in `delegate.context.reason` and in
 * `metadata.triage`. "What can you do?" is answered with the librarians that there are. A query that fits none is
 * `NOT_FOUND` (`out-of-domain`), one that fits a librarian that is down
 * or has an open circuit breaker `SERVICE_UNAVAILABLE` (`delegate-unavailable`), one that fits several equally well `INVALID_QUERY` with the candidates,
 * as is a blank one, and `TIMEOUT` means that the caller no longer waits. It never rejects.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createTriageLibrarian(options: TriageLibrarianOptions = {}): LibrarianDefinition {
  const checked = parseOptions(optionsSchema, options);
  const settings = { ...triageLibrarianDefaults, ...withoutUndefined(checked) };
  const { id, description, maxDelegates, threshold, shortlist } = settings;
  const analyzer = createAnalyzer({ stopWords });
  const conceptsOf = createConcepts(analyzer);
  const readWords = createWordReader(analyzer, conceptsOf);
  const indexOf = createIndexCache(analyzer, conceptsOf);
  const readGroups = createGroupReader();
  const closing = new AbortController();
  const meaning = checked.embedder && createMeaningReader(checked.embedder);

  async function triage(query: string, context: Context, signal: AbortSignal): Promise<Response> {
    const { ai, availableDelegates: available = [] } = context;
    const own = context.librarian?.id ?? id;
    const { delegates, targetOf } = await readGroups(available, context);
    const found = await indexOf(delegates, [own, id], signal);
    meaning?.prepare(found.index);
    if (asksWhatIsHere(query)) {
      const others = delegates.filter((each) => each.id !== own && each.id !== id);
      return { ...introduce(others), metadata: { members: listMembers(others) } };
    }
    const limits = {
      maxDelegates,
      threshold,
      analyzer,
      targetOf,
      teams: context.user?.teams ?? [],
      candidates: Math.max(shortlist, maxReported),
    };
    const match = await matchOf(query, found, limits, context, signal);
    const others = othersOf(available, own, id);
    const needed = await unavailableFor(match.query, delegates, limits, context, signal);
    const chosen: Chosen = { id: own, delegates: others, needed, ...match };
    if (ai === undefined || !settings.useModel || others.length === 0)
      return rankedResponse(chosen);
    const best = match.match.candidates.map(({ delegate }) => delegate);
    const outcome = await askModel(
      ai,
      {
        query: match.query,
        maxDelegates,
        model: checked.model,
        analysisTimeoutMs: checked.analysisTimeoutMs ?? Number.POSITIVE_INFINITY,
        decisionTimeoutMs: checked.decisionTimeoutMs ?? Number.POSITIVE_INFINITY,
        shortlist: shortlistOf(best, others, shortlist),
        widen: (analysis) => {
          const named = chooseDelegates(wordsOf(analysis), found, readWords, limits).candidates;
          const more = [...best, ...named.map(({ delegate }) => delegate)];
          return shortlistOf(more, others, shortlist);
        },
      },
      context,
      signal,
    );
    return "failure" in outcome ? rankedResponse(chosen, outcome) : modelResponse(chosen, outcome);
  }

  /** Librarians that the query needs and that are not available: the match of all there are names them. */
  async function unavailableFor(
    query: string,
    available: readonly Delegate[],
    limits: ChooseOptions,
    { unavailableDelegates: unavailable = [], librarian }: Context,
    signal: AbortSignal,
  ) {
    if (unavailable.length === 0) return [];
    const own = [librarian?.id ?? id, id];
    const all = await indexOf([...available, ...unavailable], own, signal);
    return neededOf(chooseDelegates(query, all, readWords, limits), unavailable);
  }

  /** Matches a query, with the question before it where it is a follow-up. */
  async function matchOf(
    query: string,
    found: FoundIndex,
    limits: ChooseOptions,
    context: Context,
    signal: AbortSignal,
  ) {
    const earlier = earlierQuestion(query, context.metadata);
    if (earlier === undefined) {
      return {
        query: query.trim(),
        ...(await matchByMeaning(query, found, limits, context, signal)),
      };
    }
    const whole = `${earlier} ${query.trim()}`;
    const match = chooseDelegates(query, found, readWords, limits);
    if (match.choices.length === 0) {
      return { query: whole, ...(await matchByMeaning(whole, found, limits, context, signal)) };
    }
    const choices = match.choices.map((one) => ({ ...one, query: `${earlier} ${one.query}` }));
    return { query: whole, match: { ...match, choices } };
  }

  /** Matches by words, and the parts that no delegate fits by meaning. */
  async function matchByMeaning(
    query: string,
    found: FoundIndex,
    limits: ChooseOptions,
    context: Context,
    signal: AbortSignal,
  ): Promise<{ match: RankedMatch; meaning?: TriageReport["meaning"] }> {
    const foundByWords: NonNullable<ChooseOptions["foundByWords"]> = new Map();
    const match = chooseDelegates(query, found, readWords, { ...limits, foundByWords });
    if (meaning === undefined) return { match };
    const texts = match.open;
    if (texts.length === 0) return { match };
    let near: readonly Nearness[];
    try {
      const timeoutMs = Math.min(settings.embeddingTimeoutMs, remainingMs(context, { share: 0.1 }));
      near = await withDeadline({ signal, timeoutMs }, (ends) =>
        meaning.compare(texts, found.index, ends),
      );
    } catch {
      throwIfAborted(signal);
      return { match, meaning: "failed" };
    }
    if (!meaning.isReady(found.index)) return { match, meaning: "pending" };
    const nearness = new Map(near.map((each, place) => [texts[place] ?? "", each]));
    const again = chooseDelegates(query, found, readWords, { ...limits, foundByWords, nearness });
    return { match: again, meaning: "used" };
  }

  const warmUp = createWarmUp(async (delegates) => {
    const { index } = await indexOf(delegates, [id], closing.signal);
    meaning?.prepare(index);
  });
  const { name, team, examples, delegatesTo, timeoutMs } = checked;
  const capabilities = [...new Set([...(checked.capabilities ?? []), groupCapability])];
  const details = {
    ...withoutUndefined({ name, team, examples, delegatesTo, timeoutMs }),
    id,
    description,
    capabilities,
    /** Has the librarians read, so that the first query need not: behind the check, where that is shorter. */
    async health(signal: AbortSignal, { librarians = [], deadline }: Partial<MeshAtHealth> = {}) {
      const available = checked.delegatesTo
        ? librarians.filter(isOneOf(checked.delegatesTo))
        : librarians;
      const isRead = await warmUp(available, { signal, deadline });
      return isRead
        ? { status: "up" as const }
        : { status: "degraded" as const, message: `Reading ${available.length} librarians.` };
    },
    async close() {
      closing.abort(new MeshError("TIMEOUT", "The librarian was closed.", { reason: "cancelled" }));
      meaning?.close();
    },
  };
  return defineLibrarian(details, triage);
}

function isOneOf(ids: readonly string[]): (delegate: Delegate) => boolean {
  const wanted = new Set(ids);
  return ({ id }) => wanted.has(id);
}

/** What a model's analysis says a query is about, as words to be matched. */
function wordsOf({ domains, keywords }: QueryAnalysis): string {
  return [...domains, ...keywords].slice(0, 40).join(" ").slice(0, 2_000);
}

/** Few enough to be named one by one: the rest of the list is not looked at. */
const maxOthers = 101;

function othersOf(delegates: readonly Delegate[], own: string, id: string): readonly Delegate[] {
  return delegates.slice(0, maxOthers + 2).filter((each) => each.id !== own && each.id !== id);
}

/** The best of the match; where all delegates have room, all. */
function shortlistOf(
  best: readonly Delegate[],
  delegates: readonly Delegate[],
  limit: number,
): readonly Delegate[] {
  const all = delegates.length <= limit ? delegates : [];
  return [...new Set([...best, ...all])].slice(0, limit);
}
