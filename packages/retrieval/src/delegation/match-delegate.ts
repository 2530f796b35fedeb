import { type Analyzer, createAnalyzer } from "../lexical/analyzer.js";

/** Description of a delegate. A `Delegate` of a context is one. */
export interface DelegateDescription {
  readonly id: string;
  readonly name?: string | undefined;
  readonly team?: string | undefined;
  readonly description?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly examples?: readonly string[] | undefined;
  /** One that writes is never chosen: only a plain order of the user may call it. */
  readonly effects?: "read" | "write" | undefined;
}

/** Options for {@link matchDelegate}. */
export interface MatchDelegateOptions {
  /** Id that is never chosen: the delegating librarian's own. None by default. */
  readonly exclude?: string | undefined;
  /**
   * Teams of the user, which break ties between delegates.
   *
   * @default []
   */
  readonly teams?: readonly string[] | undefined;
  /**
   * Minimum share of the query's words that the delegate's description must contain, 0 to 1.
   *
   * @default 0.3
   */
  readonly minShare?: number | undefined;
  /**
   * Share that a delegate must exceed, such as that of the delegating librarian's own description.
   *
   * @default 0
   */
  readonly ownShare?: number | undefined;
  /**
   * Weight of a term of the query by its rarity, 0 or more.
   *
   * @default 1 for each
   */
  readonly termWeight?: ((term: string) => number) | undefined;
  /**
   * Reads query and descriptions.
   *
   * @default createAnalyzer()
   */
  readonly analyzer?: Analyzer | undefined;
}

/** The delegate that fits best. */
export interface DelegateMatch {
  readonly to: string;
  /** Share of the query's words, by weight, that its description has, 0 to 1. */
  readonly share: number;
}

interface Candidate extends DelegateMatch {
  readonly isOfTeam: boolean;
}

/** Maximum number of characters of a query that are read. */
const maxQueryLength = 8_000;

/**
 * Finds the delegate whose id, name, description, capabilities and examples have most of a query's
 * words.
 *
 * @returns `undefined` when no delegate has enough of them. Ties go to the user's teams, then to
 *   the first id.
 */
export function matchDelegate(
  query: string,
  delegates: readonly DelegateDescription[],
  options: MatchDelegateOptions = {},
): DelegateMatch | undefined {
  const { exclude, teams = [], minShare = 0.3, ownShare = 0, termWeight = () => 1 } = options;
  const { analyzer = createAnalyzer() } = options;
  const terms = [...readTerms(query.slice(0, maxQueryLength), analyzer)];
  const total = terms.reduce((sum, term) => sum + termWeight(term), 0);
  if (total === 0) return undefined;
  let best: Candidate | undefined;
  for (const delegate of delegates) {
    if (delegate.id === exclude || delegate.effects === "write") continue;
    const described = readTerms(joinDescription(delegate), analyzer);
    const share =
      terms.reduce((sum, term) => sum + (described.has(term) ? termWeight(term) : 0), 0) / total;
    if (share < minShare || share <= ownShare) continue;
    const match = { to: delegate.id, share, isOfTeam: belongsTo(delegate.team, teams) };
    if (best === undefined || isBetter(match, best)) best = match;
  }
  return best && { to: best.to, share: best.share };
}

function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.share !== other.share) return one.share > other.share;
  return one.isOfTeam === other.isOfTeam ? one.to < other.to : one.isOfTeam;
}

function belongsTo(team: string | undefined, teams: readonly string[]): boolean {
  return team !== undefined && Array.isArray(teams) && teams.includes(team); // a user may be anything
}

function joinDescription(delegate: DelegateDescription): string {
  const { id, name = "", description = "", capabilities = [], examples = [] } = delegate;
  return [id, name, description, ...capabilities, ...examples].join("\n");
}

function readTerms(text: string, analyzer: Analyzer): ReadonlySet<string> {
  return new Set(analyzer.terms(text).map((term) => term.text));
}
