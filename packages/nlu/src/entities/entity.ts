import type { TextRange } from "../text/tokens.js";

/** Something that can be named. */
export interface NamedEntity {
  /** What it is, as the caller sorts it: `Deployment`, `workflow`, `metric`, `kind`. */
  readonly kind: string;
  readonly name: string;
  /** Other names. Maximum 20 are used. */
  readonly aliases?: readonly string[] | undefined;
}

/** How a name was found. */
export type MatchKind = "exact" | "variant" | "alias" | "plural" | "part" | "near";

/** Something that a word of a question may mean. */
export interface EntityCandidate<E extends NamedEntity = NamedEntity> {
  readonly entity: E;
  readonly match: MatchKind;
  /** From 0 to 1. Comparable within one question. */
  readonly score: number;
}

/** A word, or several, that mean something that exists. */
export interface EntityMention<E extends NamedEntity = NamedEntity> extends TextRange {
  readonly text: string;
  /** Best first, at least one, maximum 20. */
  readonly candidates: readonly EntityCandidate<E>[];
  /** Score of the best candidate. */
  readonly score: number;
  /** True for more than one of it: "the pods". */
  readonly isPlural: boolean;
}
