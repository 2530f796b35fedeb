import { createLexicalIndex, type LexicalIndex } from "@constellation/retrieval";
import type { Workflow } from "../catalog/workflow.js";
import { conceptsOf, inWords, shortages, things } from "./concepts.js";
import { conditionFit, severityFit } from "./fit.js";
import type { Permitted } from "./label-filter.js";
import type { CheckedQuery } from "./query.js";

/** Says how well entries fit an incident. */
export interface SemanticIndex {
  /**
   * Fit of those entries that have anything to do with the incident, 0 to 1, by place in the list of
   * workflows. Only the 100 best by words are looked at, or as many as the query wants.
   */
  fitOf(query: CheckedQuery, permitted: Pick<Permitted, "has">): ReadonlyMap<number, number>;
}

interface Profile {
  readonly named: ReadonlySet<string>;
  /** What it does, and when it is to be used. */
  readonly what: ReadonlySet<string>;
  readonly use: ReadonlySet<string>;
  /** What the texts on what it does and when to use it name. */
  readonly told: ReadonlySet<string>;
  /** It is made for what Git manages, and undoes a change of it. */
  readonly isGitRevert: boolean;
  /** Named only where it is not to be used. */
  readonly against: ReadonlySet<string>;
}

/** Maximum number of characters of the incident, and of its details, that are read. */
const maxReadCharacters = 4_000;
const minCandidates = 100;
/** What a concept counts in an entry's name, where it says what it does, and where it says when. */
const nameWeight = 1;
const whatWeight = 0.95;
const useWeight = 0.85;
/** What a concept counts that only the details of the incident name. */
const detailWeight = 0.35;
/** What all such concepts together count at most, beside those that the signal itself names. */
const maxDetails = 0.25;
/** What remains of the fit of an entry that shares no trouble with the incident, only what it befalls. */
const thingWeight = 0.6;
/** What a text that fits in every word gives by itself: the rest is for conditions. */
const textWeight = 0.9;
/**
 * What an entry gives at least that undoes a change in Git, for an object that Git manages: whatever else
 * repairs it in place is overwritten.
 */
const revertFit = 0.7;
/** What an entry loses that is not to be used on such an object. */
const warnedWeight = 0.3;

/** Builds the index over a catalog: in time in proportion to its text. */
export function createSemanticIndex(workflows: readonly Workflow[]): SemanticIndex {
  const lexical: LexicalIndex = createLexicalIndex({
    fields: { name: { weight: 2 }, what: { weight: 2 }, use: { weight: 1 }, traits: { weight: 1 } },
    parentWeight: 0, // an entry stands alone
    proximityWeight: 0,
  });
  const profiles = workflows.map(profileOf);
  lexical.add(workflows.map((workflow, at) => documentOf(workflow, at, profiles[at])));
  const rarity = rarityOf(profiles);

  return {
    fitOf(query, permitted) {
      const details = (query.details ?? "").slice(0, maxReadCharacters);
      const incident_type = withoutSeverity(query).slice(0, maxReadCharacters);
      const asked = conceptsOf(incident_type);
      const besides = new Set([...conceptsOf(details)].filter((name) => !asked.has(name)));
      // What a signal's own words leave unsaid, its details say; else they are mostly the same in every alert.
      const more = asked.size > 0 ? [...asked].join(" ") : details;
      const words = symptomsOf(`${incident_type} ${inWords(incident_type)} ${more}`);
      const seen = traitConcepts(query);
      const isShort = [...asked].some((name) => shortages.has(name));
      const isInGit = seen.has("gitops") && !isShort;
      const { hits } = lexical.search(words, {
        limit: Math.max(minCandidates, query.max_results ?? 1),
        filter: (id) => permitted.has(Number(id)),
      });
      const highest = hits[0]?.score ?? 1;
      const fits = new Map<number, number>();
      for (const { id, score, coverage } of hits) {
        const at = Number(id);
        const workflow = workflows[at];
        const profile = profiles[at];
        if (workflow === undefined || profile === undefined) continue;
        const concept = conceptFit(profile, asked, besides);
        const byWords = concept === undefined ? coverage : score / highest;
        const told = concept === undefined ? coverage : 0.75 * concept + 0.25 * byWords;
        const isUndoing = isInGit && profile.isGitRevert;
        const text = isUndoing ? Math.max(told, revertFit) : told;
        if (text <= 0) continue;
        const warned = [...seen].some((name) => profile.against.has(name)) ? -warnedWeight : 0;
        const fit = textWeight * text + conditionFit(workflow, query) + warned;
        fits.set(at, Math.min(1, Math.max(0, fit * severityFit(workflow, query))));
      }
      return fits;
    },
  };

  /** Share of the incident's concepts that the entry is about, less those it is not for. Undefined: it names none. */
  function conceptFit(
    { named, what, use, against }: Profile,
    asked: ReadonlySet<string>,
    told: ReadonlySet<string>,
  ): number | undefined {
    let isOfTrouble = false;
    const shareOf = (names: ReadonlySet<string>) => {
      let all = 0;
      let has = 0;
      for (const name of names) {
        const worth = rarity.get(name) ?? 1;
        all += worth;
        const isTold = what.has(name) || use.has(name);
        if (isTold && !things.has(name)) isOfTrouble = true;
        if (named.has(name)) has += worth * nameWeight;
        else if (what.has(name)) has += worth * whatWeight;
        else if (use.has(name)) has += worth * useWeight;
        else if (against.has(name)) has -= worth;
      }
      return { all, has };
    };
    const signal = shareOf(asked);
    const details = shareOf(told);
    const weight =
      signal.all === 0
        ? 1
        : Math.min(detailWeight, (maxDetails * signal.all) / Math.max(1e-9, details.all));
    const all = signal.all + weight * details.all;
    const has = signal.has + weight * details.has;
    if (all === 0) return undefined;
    const hasTrouble = [...asked, ...told].some((name) => !things.has(name));
    const share = hasTrouble && !isOfTrouble ? (thingWeight * has) / all : has / all;
    return Math.max(0, share);
  }
}

/** "OOMKilled critical" as "OOMKilled": how bad it is counts in another place. */
function withoutSeverity({ incident_type = "", observed }: CheckedQuery): string {
  const severity = observed?.severity?.toLowerCase();
  const words = incident_type.split(" ");
  return words.length > 1 && words.at(-1)?.toLowerCase() === severity
    ? words.slice(0, -1).join(" ")
    : incident_type;
}

/** A restart that alerts report is a crash; a workflow that restarts is something else. */
function symptomsOf(text: string): string {
  return text.replace(/\brestart\w*/gi, "crash");
}

/** What the traits speak of that were seen on the object. */
function traitConcepts({ observed }: CheckedQuery): ReadonlySet<string> {
  const seen = Object.entries(observed?.traits ?? {}).filter(
    ([, value]) => value !== false && value !== "",
  );
  return conceptsOf(seen.map(([key]) => inWords(key)).join(" "));
}

function profileOf({ id, name, actionType = "", description, conditions }: Workflow): Profile {
  const named = conceptsOf(`${inWords(id)} ${inWords(name)} ${inWords(actionType)}`);
  const does = conceptsOf(description.what);
  const whenToUse = conceptsOf(description.whenToUse ?? "");
  const what = new Set([...named, ...does]);
  const madeFor = conceptsOf(Object.keys(conditions).map(inWords).join(" "));
  const use = new Set([...whenToUse, ...madeFor]);
  const against = conceptsOf(description.whenNotToUse ?? "");
  return {
    named,
    what,
    use,
    isGitRevert: madeFor.has("gitops") && what.has("rollback"),
    told: new Set([...does, ...whenToUse]),
    against: new Set([...against].filter((one) => !what.has(one) && !use.has(one))),
  };
}

function documentOf(
  { id, name, actionType, description, conditions, labels }: Workflow,
  at: number,
  profile: Profile | undefined,
) {
  return {
    id: String(at),
    fields: {
      name: [id, name, inWords(id), inWords(actionType ?? "")],
      what: description.what,
      use: [
        description.whenToUse ?? "",
        ...(labels.signal_type ?? []).map(inWords),
        ...(profile?.told ?? []),
      ],
      traits: Object.entries(conditions).flatMap(([key, values]) => [inWords(key), ...values]),
    },
  };
}

/** How much a concept tells: the fewer entries are about it, the more. */
function rarityOf(profiles: readonly Profile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { what, use } of profiles) {
    for (const name of new Set([...what, ...use])) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const all = profiles.length;
  return new Map([...counts].map(([name, count]) => [name, Math.log(1 + all / count)]));
}
