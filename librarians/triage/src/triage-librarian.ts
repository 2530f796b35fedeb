import { defineLibrarian, parseOptions, withoutUndefined } from "@constellation/authoring";
import {
  type AnswerEstimates,
  type Context,
  type Delegate,
  type HopContext,
  type Librarian,
  type LibrarianDefinition,
  type MeshAtHealth,
  MeshError,
  type Response,
  remainingMs,
  throwIfAborted,
  withDeadline,
} from "@constellation/core";
import { findOrder } from "@constellation/nlu";
import { createAnalyzer } from "@constellation/retrieval";
import { createGroupReader } from "./group/group-reader.js";
import { groupCapability, listMembers } from "./group/members.js";
import { asksWhatIsHere, introduce } from "./introduction.js";
import { createMeaningReader } from "./meaning/meaning-reader.js";
import type { Nearness } from "./meaning/nearness.js";
import { readDelegate } from "./meaning/word-nearness.js";
import { askModel } from "./model/ask-model.js";
import type { QueryAnalysis } from "./model/query-analysis.js";
import { optionsSchema, type TriageLibrarianOptions, triageLibrarianDefaults } from "./options.js";
import {
  type ChooseOptions,
  chooseDelegates,
  type RankedMatch,
  textsToCompare,
} from "./ranked/choose-delegates.js";
import type { DelegateIndex } from "./ranked/delegate-index.js";
import { isExample, lastTurn, stayWith } from "./ranked/follow-up.js";
import { createIndexCache, type FoundIndex } from "./ranked/index-cache.js";
import { readEllipsis, readParts } from "./ranked/query-parts.js";
import { createWordReader } from "./ranked/query-words.js";
import { findPlaces, maxScored, type TextSignals } from "./ranked/score-delegates.js";
import { findNeeded, type Needed } from "./refusal.js";
import { type Chosen, maxReported, modelResponse, rankedResponse } from "./respond.js";
import type { TriageReport } from "./triage-report.js";
import { createWarmUp } from "./warm-up.js";

/** Number of librarians that one probe asks, and time for it, in milliseconds. */
const probedAtOnce = 50;
const probeTimeoutMs = 20;
/** Time for the first probe of a list of librarians: some still read what they have. At most a tenth of what remains. */
const firstProbeTimeoutMs = 1_000;

/** By how much a score exceeds the threshold where a model does not overrule it. */
const sureFactor = 3;

/** A match, and the whole query it is for. */
interface Matched {
  readonly query: string;
  readonly match: RankedMatch;
  /** The outcome of the comparison by meaning, where there was one. */
  readonly meaning?: TriageReport["meaning"];
}

/** Share of the remaining time for which a query waits for the embedder to start. */
const maxWarmUpShare = 0.5;

/**
 * Creates a librarian that answers nothing itself: it reads `context.availableDelegates` and
 * delegates the query to the librarian that can answer it, or parts of it to several.
 *
 * Without a model it matches the words of the query with the delegates' descriptions, what they mean, more exactly with
 * `embedder`, and what the delegates estimate themselves. With `context.ai` a model analyses the query and
 * decides among the best of that match; when it fails or is late, the match decides. It delegates
 * only
 * to available librarians, never to itself, and gives the reason in `delegate.context.reason` and
 * in
 * `metadata.triage`. "What can you do?" is answered with a list of the available librarians. A
 * query that fits none is
 * `NOT_FOUND` (`out-of-domain`), one that fits a librarian that is down
 * or has an open circuit breaker `SERVICE_UNAVAILABLE` (`delegate-unavailable`), one that fits several equally well `INVALID_QUERY` with the candidates,
 * as is a blank one, and `TIMEOUT` means that the caller no longer waits. It never rejects.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createTriageLibrarian(
  options: TriageLibrarianOptions = {},
): LibrarianDefinition<Librarian> {
  const checked = parseOptions(optionsSchema, options);
  const settings = { ...triageLibrarianDefaults, ...withoutUndefined(checked) };
  const { id, description, maxDelegates, threshold, shortlist } = settings;
  const analyzer = createAnalyzer();
  const readWords = createWordReader(analyzer);
  const indexOf = createIndexCache(analyzer);
  const readGroups = createGroupReader();
  const closing = new AbortController();
  const meaning = checked.embedder && createMeaningReader(checked.embedder);

  /** When the embedder was first used. */
  let embedderBegunAt: number | undefined;

  /** Computes the vectors of librarians. A failure is tried again by the next query. */
  async function prepareMeaning(index: FoundIndex["index"]): Promise<void> {
    embedderBegunAt ??= performance.now();
    await meaning?.prepare(index).catch(() => undefined);
  }

  /** Waits while the embedder starts: without it, words alone would refuse the query. */
  async function waitForMeaning(index: FoundIndex["index"], context: HopContext): Promise<void> {
    const { embedderStartTimeoutMs } = settings;
    const endsAt = (embedderBegunAt ?? performance.now()) + embedderStartTimeoutMs;
    const timeoutMs = Math.min(
      endsAt - performance.now(),
      remainingMs(context, { share: maxWarmUpShare }),
    );
    const limits = { signal: context.signal, timeoutMs };
    await withDeadline(limits, () => prepareMeaning(index)).catch(() => undefined);
    throwIfAborted(context.signal);
  }

  async function triage(query: string, context: HopContext): Promise<Response> {
    const { signal } = context;
    const { ai, availableDelegates: available = [] } = context;
    const own = context.librarian?.id ?? id;
    const { delegates, targetOf } = await readGroups(available, context);
    const found = await indexOf(delegates, [own, id], signal);
    void prepareMeaning(found.index);
    if (asksWhatIsHere(query)) {
      const others = delegates.filter((each) => each.id !== own && each.id !== id);
      return { ...introduce(others), metadata: { members: listMembers(others) } };
    }
    const limits = {
      maxDelegates,
      threshold,
      targetOf,
      teams: context.user?.teams ?? [],
      candidates: Math.max(shortlist, maxReported),
    };
    const matched = await matchQuery(query, found, limits, context);
    const others = otherDelegates(available, own, id);
    const needed = await unavailableFor(matched.query, delegates, limits, context, signal);
    const match = withoutSubstitutes(matched, needed);
    const chosen: Chosen = { id: own, delegates: others, needed: needed.librarians, ...match };
    if (ai === undefined || !settings.useModel || others.length === 0)
      return rankedResponse(chosen);
    // A model chooses among those that triage itself may call.
    const mayCall = (each: Delegate) =>
      each.effects !== "write" || findOrder(query, each) !== undefined;
    const offered = others.filter(mayCall);
    const best = match.match.candidates.map(({ delegate }) => delegate).filter(mayCall);
    const outcome = await askModel(
      ai,
      {
        query: match.query,
        maxDelegates,
        model: checked.model,
        analysisTimeoutMs: checked.analysisTimeoutMs ?? Number.POSITIVE_INFINITY,
        decisionTimeoutMs: checked.decisionTimeoutMs ?? Number.POSITIVE_INFINITY,
        shortlist: selectShortlist(best, offered, shortlist),
        widen: (analysis) => {
          const words = joinAnalysis(analysis);
          const read = readParts(words, new Set());
          const named = chooseDelegates(words, read, found, readWords, limits).candidates;
          const more = [...best, ...named.map(({ delegate }) => delegate).filter(mayCall)];
          return selectShortlist(more, offered, shortlist);
        },
      },
      context,
      signal,
    );
    if ("failure" in outcome) return rankedResponse(chosen, outcome);
    // A model turns nothing away that clearly fits a librarian without it.
    const choices = match.match.choices.filter(({ score }) => score >= sureFactor * threshold);
    if (outcome.checked.targets.length === 0 && choices.length > 0) {
      const failure = { step: "decision", reason: "no-target" } as const;
      return rankedResponse(chosen, { failure, analysis: outcome.analysis });
    }
    const sure = { ...chosen, match: { ...match.match, choices } };
    return modelResponse(sure, outcome, maxDelegates);
  }

  /**
   * Finds the librarians that the query needs but that are not available, by matching all
   * delegates.
   */
  async function unavailableFor(
    query: string,
    available: readonly Delegate[],
    limits: ChooseOptions,
    { unavailableDelegates: unavailable = [], librarian }: Context,
    signal: AbortSignal,
  ): Promise<Needed> {
    if (unavailable.length === 0) return { librarians: [], minScore: 0 };
    const own = [librarian?.id ?? id, id];
    const all = await indexOf([...available, ...unavailable], own, signal);
    const read = readParts(query, readVerbs(all.index));
    return findNeeded(chooseDelegates(query, read, all, readWords, limits), unavailable);
  }

  /** Matches a query, together with the question before it when it is a follow-up. */
  async function matchQuery(
    query: string,
    found: FoundIndex,
    limits: ChooseOptions,
    context: HopContext,
  ): Promise<Matched> {
    const { thread, originalQuery, depth } = context;
    // The journal has put what the user said together with what was asked before.
    const isWhole = thread !== undefined && depth === 0 && query !== originalQuery;
    if (isWhole && isExample(originalQuery, found.index.delegates)) {
      const asked = originalQuery.trim(); // it is whole as it was asked
      return { query: asked, ...(await match(asked, found, limits, context)) };
    }
    const said = isWhole ? originalQuery : query;
    const last = lastTurn(context);
    if (last === undefined || isExample(query, found.index.delegates))
      return { query: query.trim(), ...(await match(query, found, limits, context)) };
    const alone = await match(said, found, limits, context);
    const ellipsis = isWhole ? "refers" : readEllipsis(query);
    const isLacking = !isWhole && ellipsis !== undefined;
    const whole = isLacking ? `${last.query} ${query.trim()}` : query.trim();
    const staying = stayWith(last.librarians, said, alone.match, found);
    if (staying !== undefined) {
      const choices = [{ to: staying.id, query: whole, score: 1, words: [], isFollowUp: true }];
      return { ...alone, query: whole, match: { ...alone.match, choices, tied: [], untaken: [] } };
    }
    if (ellipsis === undefined) return { query: whole, ...alone };
    if (alone.match.choices.length === 0)
      return { query: whole, ...(await match(whole, found, { ...limits, said }, context)) };
    if (ellipsis === "short") return { query: query.trim(), ...alone };
    const choices = alone.match.choices.map((one) => ({
      ...one,
      query: isWhole ? whole : `${last.query} ${one.query}`,
    }));
    return { ...alone, query: whole, match: { ...alone.match, choices } };
  }

  /** Matches by words, by what librarians estimate, and by meaning. */
  async function match(
    query: string,
    found: FoundIndex,
    limits: ChooseOptions,
    context: HopContext,
  ): Promise<Omit<Matched, "query">> {
    const read = readParts(query, readVerbs(found.index));
    const foundByWords = new Map<string, readonly number[]>();
    const choose = (signals?: ReadonlyMap<string, TextSignals>) =>
      chooseDelegates(query, read, found, readWords, { ...limits, signals, foundByWords });
    // Words alone tell whether a query is an example, and whether it must wait for the embedder.
    const byWords = meaning && choose();
    if (byWords?.isExample) return { match: byWords };
    const texts = textsToCompare(read);
    const near = await compareMeaning(texts, found, context, byWords?.choices.length === 0);
    const signals = await probeTexts(texts, found, near.vectors, foundByWords, context);
    return {
      match: choose(signals),
      ...(near.outcome !== undefined && { meaning: near.outcome }),
    };
  }

  async function compareMeaning(
    texts: readonly string[],
    { index }: FoundIndex,
    context: HopContext,
    mustWait: boolean,
  ): Promise<{ outcome?: TriageReport["meaning"]; vectors?: readonly Nearness[] }> {
    if (meaning === undefined) return {};
    if (mustWait && !meaning.isReady(index)) await waitForMeaning(index, context);
    if (!meaning.isReady(index)) return { outcome: mustWait ? "failed" : "pending" };
    try {
      const timeoutMs = Math.min(settings.embeddingTimeoutMs, remainingMs(context, { share: 0.1 }));
      const vectors = await withDeadline({ signal: context.signal, timeoutMs }, (ends) =>
        meaning.compare(texts, index, ends),
      );
      return { outcome: "used", vectors };
    } catch {
      throwIfAborted(context.signal);
      return { outcome: "failed" };
    }
  }

  const probed = new WeakSet<DelegateIndex>();

  /** Asks librarians how well they could answer each text. */
  async function probeTexts(
    texts: readonly string[],
    found: FoundIndex,
    vectors: readonly Nearness[] | undefined,
    foundByWords: Map<string, readonly number[]>,
    context: HopContext,
  ): Promise<ReadonlyMap<string, TextSignals>> {
    const timeoutMs = probed.has(found.index)
      ? probeTimeoutMs
      : Math.min(firstProbeTimeoutMs, remainingMs(context, { share: 0.1 }));
    probed.add(found.index);
    const all = await Promise.all(
      texts.map(async (text, at): Promise<[string, TextSignals]> => {
        const near = vectors?.[at];
        const places = findPlaces(text, found, readWords, near, foundByWords);
        const ids = [...places]
          .slice(0, maxScored)
          .flatMap((place) => found.index.delegates[place]?.id ?? []);
        const vector = near && meaning && { embedder: meaning.embedder, values: near.vector };
        const own: Promise<AnswerEstimates>[] = [];
        for (let from = 0; from < ids.length; from += probedAtOnce) {
          const to = ids.slice(from, from + probedAtOnce);
          own.push(context.probe(text, { to, vector, timeoutMs }));
        }
        const estimates = new Map((await Promise.all(own)).flatMap((each) => [...each]));
        return [text, { near, estimates }];
      }),
    );
    return new Map(all);
  }

  const warmUp = createWarmUp(async (delegates) => {
    const { index } = await indexOf(delegates, [id], closing.signal);
    index.delegates.slice(0, maxScored).forEach(readDelegate);
    await prepareMeaning(index);
  });
  const { name, team, examples, delegatesTo, timeoutMs } = checked;
  const capabilities = [...new Set([...(checked.capabilities ?? []), groupCapability])];
  const details = {
    ...withoutUndefined({ name, team, examples, delegatesTo, timeoutMs }),
    id,
    description,
    capabilities,
    /**
     * Reads the librarians before the first query; continues in the background when the check ends
     * earlier.
     */
    async health(signal: AbortSignal, { librarians = [], deadline }: Partial<MeshAtHealth> = {}) {
      const available = checked.delegatesTo
        ? librarians.filter(hasIdIn(checked.delegatesTo))
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

/** Leaves out choices that fit much worse than a librarian that is not available. */
function withoutSubstitutes(matched: Matched, { minScore }: Needed): Matched {
  const { match } = matched;
  const choices = match.choices.filter(({ score }) => score >= minScore);
  return { ...matched, match: { ...match, choices } };
}

const verbsOf = new WeakMap<DelegateIndex, ReadonlySet<string>>();

/** Verbs that order something of librarians. */
function readVerbs(index: DelegateIndex): ReadonlySet<string> {
  const known = verbsOf.get(index);
  if (known !== undefined) return known;
  const acts = index.delegates.flatMap(({ effects, acts: own = [] }) =>
    effects === "write" ? own : [],
  );
  const verbs = new Set(acts.flatMap((act) => act.toLowerCase().split(/\s+/, 1)));
  verbsOf.set(index, verbs);
  return verbs;
}

function hasIdIn(ids: readonly string[]): (delegate: Delegate) => boolean {
  const wanted = new Set(ids);
  return ({ id }) => wanted.has(id);
}

/** Joins the subjects and keywords of a model's analysis to words for the match. */
function joinAnalysis({ domains, keywords }: QueryAnalysis): string {
  return [...domains, ...keywords].slice(0, 40).join(" ").slice(0, 2_000);
}

/** Other delegates, as many as are listed one by one; the rest of the list is not read. */
const maxOthers = 101;

function otherDelegates(
  delegates: readonly Delegate[],
  own: string,
  id: string,
): readonly Delegate[] {
  return delegates.slice(0, maxOthers + 2).filter((each) => each.id !== own && each.id !== id);
}

/** Selects the best of the match; all delegates if they fit within the limit. */
function selectShortlist(
  best: readonly Delegate[],
  delegates: readonly Delegate[],
  limit: number,
): readonly Delegate[] {
  const all = delegates.length <= limit ? delegates : [];
  return [...new Set([...best, ...all])].slice(0, limit);
}
