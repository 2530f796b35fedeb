// Written by `npm run fit-confidence -w librarians/k8s`: do not edit.

/** The share of answers that were right, by what they rest on and by how the question asks. */
export const probabilities = {
  stated: { polar: 0.72, told: 0.91, other: 0.87 },
  log: { polar: 0.93, told: 0.95, other: 0.94 },
  ended: { polar: 0.44, told: 0.64, other: 0.59 },
  reported: { polar: 0.63, told: 0.6, other: 0.85 },
  past: { polar: 0.7, told: 0.83, other: 0.77 },
  healthy: { polar: 0.88, told: 0.64, other: 0.69 },
  unjudged: { polar: 0.75, told: 0.59, other: 0.56 },
  lookup: { polar: 0.83, told: 0.78, other: 0.82 },
  partial: { polar: 0.51, told: 0.34, other: 0.52 },
} as const;
