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

/** An answer from a knowledge base, with what it rests on. Version 1.0.0 of the format. */
export interface NavigatorResponse {
  /** For people, in Markdown. Says so where there is no information. */
  readonly answer: string;
  /** What supports the answer. Empty only where it says that nothing was found, or out of domain. */
  readonly sources: readonly NavigatorSource[];
  readonly confidence: NavigatorConfidence;
  /** Why not more and not less: at least 10 characters besides blanks at its ends. */
  readonly confidenceReason: string;
  /** What else the knowledge base has on neighbouring subjects. */
  readonly relatedTopics?: readonly string[] | undefined;
  /** Whether the question is outside the subject the navigator was made for. */
  readonly outOfDomain: boolean;
}
