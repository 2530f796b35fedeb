// Written by `npm run fit -w librarians/triage` from questions in 24 meshes: see eval/fit-mix.ts.

interface Mix {
  /** In the order of `readSignals`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = { weights: [0.786, 0.214], sharpness: 13.557 };

/** With one. */
export const embedded: Mix = { weights: [0.283, 0.133, 0.585], sharpness: 17.218 };

/** Of the logit of a second librarian, in the order of `ReadSecond`. */
export const second = { bias: -13.588, weights: [2.748, 3.841, 2.47, 6.071, 1.331] };

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of `readLeaving`. */
export const leaving = { bias: -6.71, weights: [0.837, 4.812, -2.325] };
