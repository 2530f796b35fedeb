/** What a content rule forbids: decisions for the reader, calls to act, and what is not factual. */
export type ContentRule = "decision" | "action" | "unfactual";

/** An act that no sentence of an advisory may do. */
export type ContentAct =
  | "directive"
  | "decision"
  | "legal"
  | "guarantee"
  | "prediction"
  | "urgency"
  | "personal"
  | "assistant"
  | "unsupported"
  | "praise";

/** The patterns of an act, and those whose sentences do not do it all the same. */
export interface ActRule {
  readonly act: ContentAct;
  readonly rule: ContentRule;
  readonly patterns: readonly string[];
  /** A sentence with one of these only reports the act: `According to the report, ...`. */
  readonly unless?: readonly string[];
}
