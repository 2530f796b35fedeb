// `npm run fit -w librarians/triage` writes this file: see eval/fit-mix.ts. These values are of the same regressions over
// eleven meshes, rounded by hand.

interface Mix {
  /** In the order of `readSignals`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = { weights: [0.701, 0.186, 0.113], sharpness: 12.9 };

/** With one. */
export const embedded: Mix = { weights: [0.298, 0.095, 0.159, 0.447], sharpness: 17.2 };

/** Of the logit of a second librarian, in the order of `readSecond`. */
export const second = { bias: -4.7, weights: [4.2, 3.1] };

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of `readLeaving`. */
export const leaving = { bias: -5.62, weights: [0.89, 3.19] };
