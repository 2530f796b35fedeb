import { withAllSymptoms } from "./diagnosis/diagnose.js";
import type { Finding } from "./diagnosis/finding.js";
import { idOf } from "./diagnosis/object-id.js";
import type { RankOptions } from "./diagnosis/rank.js";
import type { SignalType } from "./diagnosis/signal-type.js";
import { notYet } from "./diagnosis/standing.js";
import { polarIn } from "./question/polar.js";

/** Findings that are no failure of now, by why they are not. */
export interface SetAside {
  /** Of what others have replaced since. */
  readonly over: readonly Finding[];
  /** Of what has begun, or was changed, a moment ago. */
  readonly early: readonly Finding[];
  /** What was asked for, and keeps nothing waiting. */
  readonly meant: readonly Finding[];
}

/** What to go by. */
export interface SetAsideOptions extends Pick<RankOptions, "interest" | "named" | "kinds"> {
  readonly query: string;
  /** True for a question that names nothing. */
  readonly isWide: boolean;
}

/** Splits findings into what is to be answered with and what is only to be named beside it. */
export function setAside(
  findings: readonly Finding[],
  { query, isWide, interest, named, kinds }: SetAsideOptions,
): SetAside & { readonly present: readonly Finding[] } {
  const isPast = asksWhatWas(query);
  // "The pod of the import" may be any of its pods.
  const isNamed = ({ object }: Finding) =>
    named.has(idOf(object)) && query.includes(object.metadata.name);
  const isMeant = (one: Finding) =>
    isWide &&
    onPurpose.has(one.signal) &&
    one.symptoms.length === 0 &&
    !interest.signals.has(one.signal) &&
    !kinds.some((kind) => kind === one.object.kind);
  const placeOf = (one: Finding): keyof SetAside | "present" => {
    if (one.standing?.kind === "over") return isPast || isNamed(one) ? "present" : "over";
    if (one.standing?.kind === "early") return isMore(one) ? "present" : "early";
    return isMeant(one) ? "meant" : "present";
  };
  const places = findings.map((one) => ({ one, place: placeOf(one) }));
  const at = (place: keyof SetAside | "present") =>
    places.flatMap((each) => (each.place === place ? [each.one] : []));
  return {
    present: at("present").map(asPast),
    over: at("over"),
    early: at("early"),
    meant: at("meant"),
  };
}

/** States that somebody asked for. */
const onPurpose: ReadonlySet<SignalType> = new Set([
  "ScaledToZero",
  "CronJobSuspended",
  "JobSuspended",
]);

const open = /^(?:why|what|which|when|how|who)$/i;
const past = /^(?:did|was|were|had|happened|caused|killed|evicted|crashed|failed)$/i;
/** How many words may be between the two: "which of the pods were". */
const between = 3;

/** True for a question after what happened, and not after how something is: "what is wrong, it was fine before". */
function asksWhatWas(query: string): boolean {
  const words = query.split(/[^\w-]+/);
  const isPast = words.some(
    (word, index) =>
      open.test(word) &&
      words.slice(index + 1, index + 2 + between).some((next) => past.test(next)),
  );
  return isPast && polarIn(query) === undefined;
}

/** True where something fails behind what is early: "not yet" explains no crash. */
function isMore(one: Finding): boolean {
  return withAllSymptoms(one).some(
    ({ signal, standing, current }) => current && standing === undefined && !notYet.has(signal),
  );
}

function asPast(one: Finding): Finding {
  return one.standing?.kind === "over"
    ? { ...one, summary: `${one.summary}; ${one.standing.why}` }
    : one;
}
