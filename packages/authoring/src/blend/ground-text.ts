/** The grounded part of a text that a model wrote. */
export interface GroundedText {
  /** Empty where nothing follows from the cited texts. */
  readonly text: string;
  /** Number of sentences of the model that are kept. */
  readonly kept: number;
  /** Sentences that do not follow, with what replaced them. */
  readonly ungrounded: readonly {
    readonly sentence: string;
    readonly why: readonly string[];
    readonly replacedBy?: string | undefined;
  }[];
}

/** Keeps the sentences of a text that follow from the texts it cites: `groundText` of `@constellation/nlu`. */
export type GroundText = (
  text: string,
  cited: readonly { readonly id: string; readonly text: string }[],
) => GroundedText;

/** Minimum number of grounded sentences for each ungrounded one. */
const minKept = 3;

/**
 * Whether enough of a text is grounded to keep it: three sentences for each that is not. Below that, the original
 * texts are better than the rest.
 *
 * @beta
 */
export function followsEnough({
  kept,
  ungrounded,
}: {
  readonly kept: number;
  readonly ungrounded: readonly { readonly why: readonly string[] }[];
}): boolean {
  // A sentence to which a warning was added does follow.
  return ungrounded.filter(({ why }) => why.join() !== "warning").length * minKept <= kept;
}

/** Keeps the sentences that a cited text has word for word. */
export const quoteText: GroundText = (text, cited) => {
  const known = new Set(cited.flatMap((one) => splitSentences(one.text)));
  const sentences = splitSentences(text);
  const kept = sentences.filter((sentence) => known.has(sentence));
  return {
    text: kept.length === sentences.length ? text.trim() : kept.join(" "),
    kept: kept.length,
    ungrounded: sentences
      .filter((sentence) => !known.has(sentence))
      .map((sentence) => ({ sentence, why: ["not-verbatim"] })),
  };
};

function splitSentences(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n/)
    .map((one) => one.replace(/^[\s#>*-]+/, "").trimEnd())
    .filter((one) => one !== "");
}
