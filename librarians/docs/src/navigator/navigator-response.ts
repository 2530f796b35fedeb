/** How sure a navigator is. */
export type NavigatorConfidence = "high" | "medium" | "low";

/** A section cited for an answer. */
export interface NavigatorSource {
  /** Path of the page, relative to the root of the knowledge base: `deployment/ssl.md`. */
  readonly file: string;
  /** Heading of the section, as the page has it. */
  readonly section: string;
  /** Why it answers the question, for people. */
  readonly relevance: string;
}

/** An answer from a knowledge base, with its sources. Version 1.0.0 of the format. */
export interface NavigatorResponse {
  /** For people, in Markdown. States when there is no information. */
  readonly answer: string;
  /**
   * Sections that support the answer. Empty only when nothing was found or the question is out of
   * domain.
   */
  readonly sources: readonly NavigatorSource[];
  readonly confidence: NavigatorConfidence;
  /** Reason for the confidence level: at least 10 characters, without white space at its ends. */
  readonly confidenceReason: string;
  /** Related topics in the knowledge base. */
  readonly relatedTopics?: readonly string[] | undefined;
  /** Whether the question is outside the subject the navigator was made for. */
  readonly outOfDomain: boolean;
}
