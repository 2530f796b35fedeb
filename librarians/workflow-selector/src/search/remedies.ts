import { toWordVector } from "@constellation/nlu";
import type { Workflow } from "../catalog/workflow.js";
import { inWords } from "./concepts.js";
import { readDescriptionParts } from "./description-parts.js";
import { type RemedyModel, readScoreModel } from "./score-model.js";
import { knownTroubles, type Trouble } from "./signals.js";

/** How far entries are like what mends a trouble, by place; undefined: no trouble is given. */
export type MatchRemedies = (
  troubles: readonly Trouble[],
) => ((place: number) => RemedyMatch) | undefined;

/** How far an entry is like what mends a trouble. */
export interface RemedyMatch {
  /** With what mends the one of the troubles that it is most like, -1 to 1. */
  readonly likeness: number;
  /** That, less its likeness with what mends any known trouble: 0 where it is made for this one. */
  readonly madeFor: number;
}

/** Signs of a vector: 1 or -1 each. */
type Signs = Int8Array;
const noMatch: RemedyMatch = { likeness: 0, madeFor: 0 };

/**
 * Compares entries with what mends each known trouble, as it was learned from other catalogs: entries for one trouble are alike,
 * whatever words they are written in.
 */
export function createRemedyMatch(
  workflows: readonly Workflow[],
  model: RemedyModel = readScoreModel().remedies,
): MatchRemedies {
  const mean = decodeMean(model.mean);
  const troubles = knownTroubles();
  const placeOf = new Map(troubles.map(({ means }, at) => [means, at]));
  let learned: readonly (Signs | undefined)[] | undefined;
  const likenesses = new Map<number, Float32Array>();
  const measure = (place: number): Float32Array | undefined => {
    const known = likenesses.get(place);
    const workflow = workflows[place];
    if (known !== undefined || workflow === undefined) return known;
    learned ??= troubles.map((trouble) => {
      const kept = model.signs[trouble.means];
      return kept === undefined ? signsOf(textOfTrouble(trouble), mean) : decodeSigns(kept);
    });
    const own = signsOf(textOfEntry(workflow), mean);
    const found = Float32Array.from(learned, (signs) => measureLikeness(own, signs));
    likenesses.set(place, found);
    return found;
  };
  return (of) => {
    const wanted = of.flatMap(({ means }) => placeOf.get(means) ?? []);
    if (wanted.length === 0) return undefined;
    return (place) => {
      const found = measure(place);
      if (found === undefined) return noMatch;
      const likeness = Math.max(...wanted.map((at) => found[at] ?? -1));
      return { likeness, madeFor: likeness - Math.max(...found) };
    };
  };
}

/** What an entry says of what it does and of when, as it is compared. */
export function textOfEntry(workflow: Workflow): string {
  const { what, whenToUse } = readDescriptionParts(workflow);
  const { id, name = "", actionType = "" } = workflow;
  return [inWords(id), name, inWords(actionType), what, whenToUse].join(". ");
}

/** What a trouble means and what mends it, for a trouble of which no remedy is known. */
export function textOfTrouble({ means, mends }: Trouble): string {
  return `${means}. ${mends}`;
}

function signsOf(text: string, mean: Int8Array): Signs | undefined {
  const vector = toWordVector(text);
  if (vector === undefined) return undefined;
  return Int8Array.from(vector, (one, at) => (one * meanScale > (mean[at] ?? 0) ? 1 : -1));
}

function measureLikeness(one: Signs | undefined, other: Signs | undefined): number {
  if (one === undefined || other === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum / one.length;
}

/** What 1 of a vector is in a byte of the mean. */
export const meanScale = 1_000;

function decodeMean(text: string): Int8Array {
  return Int8Array.from(Buffer.from(text, "base64"));
}

function decodeSigns(text: string): Signs {
  return Int8Array.from([...Buffer.from(text, "base64")].flatMap(toSigns));
}

function toSigns(byte: number): readonly number[] {
  return Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1 ? 1 : -1));
}
