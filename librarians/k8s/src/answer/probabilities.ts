// Written by `npm run fit-confidence -w librarians/k8s`: do not edit.

/** The share of answers that were right, by what they rest on and by how the question asks. */
export const probabilities = {
  stated: { polar: 0.67, told: 0.9, other: 0.8 },
  log: { polar: 0.93, told: 0.94, other: 0.95 },
  ended: { polar: 0.53, told: 0.73, other: 0.61 },
  reported: { polar: 0.63, told: 0.6, other: 0.86 },
  past: { polar: 0.74, told: 0.88, other: 0.8 },
  healthy: { polar: 0.87, told: 0.63, other: 0.68 },
  unjudged: { polar: 0.74, told: 0.56, other: 0.53 },
  lookup: { polar: 0.84, told: 0.76, other: 0.82 },
  partial: { polar: 0.49, told: 0.31, other: 0.52 },
} as const;
