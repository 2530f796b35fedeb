// Written by `npm run fit -w librarians/triage` from questions in 15 meshes: see eval/fit-mix.ts.

interface Mix {
  /** In the order of `readSignals`; they come to 1. */
  readonly weights: readonly number[];
  /** By how much the logarithm of a librarian's probability changes with its score. */
  readonly sharpness: number;
}

/** Without an embedder. */
export const plain: Mix = { weights: [0.69, 0.184, 0.126], sharpness: 13.732 };

/** With one. */
export const embedded: Mix = { weights: [0.321, 0.084, 0.151, 0.443], sharpness: 17.368 };

/** Of the logit of a second librarian, in the order of `readSecond`. */
export const second = { bias: -5.074, weights: [3.758, 3.186] };

/** Of the logit that a follow-up leaves the librarian that answered before, in the order of `readLeaving`. */
export const leaving = { bias: -5.586, weights: [0.886, 3.219] };
