// Written by `npm run fit -w librarians/triage` from 1638 choices of 8 meshes: see eval/fit-mix.ts.

/** Without an embedder, in the order of `readSignals`. */
export const plain: readonly number[] = [0, 0.223, 0.251, 0.526];

/** With one, in the order of `readSignals`. */
export const embedded: readonly number[] = [0, 0.077, 0.036, 0.186, 0.047, 0.175, 0.479];
