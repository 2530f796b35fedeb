import { readFileSync } from "node:fs";
import { type KindName, kindNames } from "./kinds.js";

/** What several kinds have in common. */
export type KindTrait =
  /** Its objects name others that they use. */
  | "uses"
  /** Its health is in its status. */
  | "hasStatus"
  /** It runs nothing itself. */
  | "runsNothing"
  /** Controllers make it and change it all the time. */
  | "madeByController"
  /** Its own status shows the health of what it is. */
  | "showsHealth"
  /** Its failure is one of a run or of a promise, and takes no pod down. */
  | "ofRun"
  /** It does nothing itself, and has the name of the workload that uses it. */
  | "namedLikeWorkload"
  /** It is found through the objects that it applies to. */
  | "appliesToObject";

interface TraitRow {
  readonly is?: readonly KindTrait[];
  /** Kinds needed to call one of it healthy: of each list at least one must have been read. */
  readonly needs?: readonly (readonly KindName[])[];
}

/** What is known of kinds beside how they are addressed, from a file of data. */
const table = JSON.parse(
  readFileSync(new URL("../../data/kinds.json", import.meta.url), "utf8"),
) as Readonly<Record<KindName, TraitRow>>;
const rows: ReadonlyMap<string, TraitRow> = new Map(Object.entries(table));

/** True for a kind that has a trait. */
export function kindIs(kind: string, trait: KindTrait): boolean {
  return rows.get(kind)?.is?.includes(trait) === true;
}

/** Every kind that has a trait. */
export function kindsThat(trait: KindTrait): readonly KindName[] {
  return kindNames.filter((kind) => kindIs(kind, trait));
}

/** Kinds needed to call one of a kind healthy: of each list at least one must have been read. */
export function kindsNeededBy(kind: string): readonly (readonly KindName[])[] {
  return rows.get(kind)?.needs ?? [];
}
