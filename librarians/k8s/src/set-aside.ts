import { readQuestion } from "@constellation/nlu";
import { withAllSymptoms } from "./diagnosis/diagnose.js";
import type { Finding } from "./diagnosis/finding.js";
import { toObjectId } from "./diagnosis/object-id.js";
import type { RankOptions } from "./diagnosis/rank.js";
import { hasTrait } from "./diagnosis/signal-type.js";
import { reportsPast } from "./question/lookup.js";
import { polarIn } from "./question/polar.js";

/** Findings that are not current failures, by reason. */
export interface SetAside {
  /** On objects that others have replaced since. */
  readonly over: readonly Finding[];
  /** On objects that started or were changed a moment ago. */
  readonly early: readonly Finding[];
  /** Intended states that nothing waits for. */
  readonly meant: readonly Finding[];
}

/** What to go by. */
export interface SetAsideOptions extends Pick<RankOptions, "interest" | "named" | "kinds"> {
  readonly query: string;
  /** True for a question that names nothing. */
  readonly isWide: boolean;
}

/** Splits findings into those that answer the question and those that are only mentioned. */
export function setAside(
  findings: readonly Finding[],
  { query, isWide, interest, named, kinds }: SetAsideOptions,
): SetAside & { readonly present: readonly Finding[] } {
  const isPast = asksWhatWas(query);
  // "The pod of the import" may be any of its pods.
  const isNamed = ({ object }: Finding) =>
    named.has(toObjectId(object)) && query.includes(object.metadata.name);
  // "SchedulingDisabled, did we lose the node?": it is ready, and someone closed it.
  const isDoubt =
    polarIn(query) === undefined && readQuestion(query).clauses.some(({ act }) => act === "yes-no");
  const isMeant = (one: Finding) =>
    (isDoubt && one.signal === "NodeCordoned" && one.symptoms.length === 0) || isIntended(one);
  const isIntended = (one: Finding) =>
    hasTrait(one.signal, "onPurpose") &&
    one.values.note !== undefined &&
    one.symptoms.every(({ signal }) => signal === "ServiceNoEndpoints");
  const isQuiet = (one: Finding) =>
    isWide &&
    hasTrait(one.signal, "onPurpose") &&
    one.symptoms.length === 0 &&
    !interest.signals.has(one.signal) &&
    !kinds.some((kind) => kind === one.object.kind);
  const chooseGroup = (one: Finding): keyof SetAside | "present" => {
    if (one.standing?.kind === "over") return isPast || isNamed(one) ? "present" : "over";
    if (one.standing?.kind === "early") return isMore(one) ? "present" : "early";
    return isMeant(one) || isQuiet(one) ? "meant" : "present";
  };
  const chosen = findings.map((one) => ({ one, place: chooseGroup(one) }));
  // "The import failed two months ago, do you still see why?" is about what is over, where nothing is wrong now.
  const isAboutOver =
    !isWide &&
    reportsPast(query) &&
    !chosen.some(({ one, place }) => place === "present" && one.current);
  const places = chosen.map(({ one, place }) => ({
    one,
    place: place === "over" && isAboutOver ? "present" : place,
  }));
  const at = (place: keyof SetAside | "present") =>
    places.flatMap((each) => (each.place === place ? [each.one] : []));
  return {
    present: at("present").map(asPast),
    over: at("over"),
    early: at("early"),
    meant: at("meant"),
  };
}

const open = /^(?:why|what|which|when|how|who)$/i;
const past = /^(?:did|was|were|had|happened|caused|killed|evicted|crashed|failed)$/i;
/** How many words may be between the two: "which of the pods were". */
const between = 3;

/** True for a question about what happened, and not about its present state: "what is wrong, it was fine before". */
function asksWhatWas(query: string): boolean {
  const words = query.split(/[^\w-]+/);
  const isPast = words.some(
    (word, index) =>
      open.test(word) &&
      words.slice(index + 1, index + 2 + between).some((next) => past.test(next)),
  );
  return isPast && polarIn(query) === undefined;
}

/** True if an object that only just started has a failure behind it: a recent start does not explain a crash. */
function isMore(one: Finding): boolean {
  return withAllSymptoms(one).some(
    ({ signal, standing, current }) =>
      current && standing?.kind !== "early" && !hasTrait(signal, "notYet"),
  );
}

function asPast(one: Finding): Finding {
  return one.standing?.kind === "over"
    ? { ...one, summary: `${one.summary}; ${one.standing.why}` }
    : one;
}
