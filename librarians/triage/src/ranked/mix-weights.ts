// Written by `npm run fit -w librarians/triage` from questions in 18 meshes: see eval/fit-mix.ts.

interface Mix {
  /** In the order of `readSignals`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = { weights: [0.717, 0.283], sharpness: 12.687 };

/** With one. */
export const embedded: Mix = { weights: [0.306, 0.21, 0.484], sharpness: 16.216 };

/** Of the logit of a second librarian, in the order of `ReadSecond`. */
export const second = { bias: -8.408, weights: [1.77, 2.678, 2.404, 2.73, 1.418] };

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of `readLeaving`. */
export const leaving = { bias: -5.382, weights: [0.909, 3.133] };
