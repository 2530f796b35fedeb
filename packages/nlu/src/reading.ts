import type { EntityMention, NamedEntity } from "./entities/entity.js";
import type { IntentReading } from "./intent/intent-model.js";
import type { Span } from "./spans/span.js";
import type { TextRange } from "./text/tokens.js";

/**
 * What somebody wants by saying something: a value, list or text; yes or no; a cause; a way to do something; that
 * something is done; or nothing, where they only tell.
 */
export const acts = ["fact", "yes-no", "why", "how-to", "order", "report"] as const;
export type Act = (typeof acts)[number];

/** What a word denies. */
export interface Negation extends TextRange {
  /** The denying word, in lower case. */
  readonly cue: string;
}

/** A part of a question that says or asks one thing. */
export interface Clause extends TextRange {
  readonly text: string;
  readonly act: Act;
  /** The first word behind courtesies and "can you", in lower case: the verb of an order. */
  readonly head: string;
  /** The text from that word on. */
  readonly body: string;
  /** It asks: by its form, or by a question mark. */
  readonly isQuestion: boolean;
  /** Ranges behind "not", "never", "without" and the like. Empty where nothing is denied. */
  readonly negations: readonly Negation[];
  /** It begins with "please", "can you" or "I want you to", or ends with "would you". */
  readonly isRequest: boolean;
  /** "Should", "might", "could we", "I want to": weighed or wished, not ordered. "Can you" is a request, and not modal. */
  readonly isModal: boolean;
  /** Below an "if", "what if" or "suppose". */
  readonly isHypothetical: boolean;
  /** "Was", "did", "has been", or an open verb in the past. */
  readonly isPast: boolean;
  /** Said by somebody else: in quotation marks, or behind "the customer wrote". */
  readonly isQuoted: boolean;
  /** About all there is: "every order", "everything". */
  readonly isAboutAll: boolean;
}

/** A question, read. Offsets count in `text`. */
export interface Reading<E extends NamedEntity = NamedEntity> {
  /** What was read: all of the question, or the beginning and the end of one of more than 4,000 characters. */
  readonly text: string;
  /** Addresses, times, numbers, commands and the like, in order, without overlap. */
  readonly spans: readonly Span[];
  /** Names of what exists, in order, without overlap. */
  readonly entities: readonly EntityMention<E>[];
  /** At least one. */
  readonly clauses: readonly Clause[];
  /** What the whole wants: the act of the first clause that wants something. */
  readonly act: Act;
  /** Something that it asks for is denied. */
  readonly isNegated: boolean;
  /** It holds what somebody or something else said. */
  readonly isQuoted: boolean;
  /** It cannot be understood without what was said before. */
  readonly refersBack: boolean;
  /** The words with `<kind>` for names and spans, in lower case: what intents are fitted on. */
  readonly masked: string;
  /** Present where a model of intents was given. */
  readonly intent?: IntentReading | undefined;
}
