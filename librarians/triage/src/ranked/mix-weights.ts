// Written by `npm run fit -w librarians/triage` from questions in 21 meshes: see eval/fit-mix.ts.

interface Mix {
  /** In the order of `readSignals`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = { weights: [0.737, 0.263], sharpness: 12.224 };

/** With one. */
export const embedded: Mix = { weights: [0.288, 0.216, 0.496], sharpness: 16.066 };

/** Of the logit of a second librarian, in the order of `ReadSecond`. */
export const second = { bias: -8.526, weights: [1.647, 2.501, 2.227, 3.496, 1.2] };

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of `readLeaving`. */
export const leaving = { bias: -5.191, weights: [0.917, 3.112] };
