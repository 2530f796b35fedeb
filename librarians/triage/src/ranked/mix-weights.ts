// Written by `npm run fit -w librarians/triage` from questions in 18 meshes: see eval/fit-mix.ts.

interface Mix {
  /** In the order of `readSignals`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = { weights: [0.705, 0.179, 0.116], sharpness: 13.294 };

/** With one. */
export const embedded: Mix = { weights: [0.313, 0.092, 0.142, 0.454], sharpness: 17.038 };

/** Of the logit of a second librarian, in the order of `readSecond`. */
export const second = { bias: -8.329, weights: [1.68, 2.649, 2.403, 2.682, 1.522] };

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of `readLeaving`. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: fitted
export const leaving = { bias: -5.397, weights: [0.897, 3.142] };
