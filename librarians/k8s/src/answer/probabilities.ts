// Written by `npm run fit-confidence -w librarians/k8s`: do not edit.

/** The share of answers that were right, by what they rest on and by how the question asks. */
export const probabilities = {
  stated: { polar: 0.82, told: 0.95, other: 0.88 },
  log: { polar: 0.98, told: 0.95, other: 0.94 },
  ended: { polar: 0.52, told: 0.7, other: 0.71 },
  reported: { polar: 0.61, told: 0.63, other: 0.86 },
  past: { polar: 0.65, told: 0.76, other: 0.73 },
  healthy: { polar: 0.88, told: 0.63, other: 0.65 },
  unjudged: { polar: 0.76, told: 0.58, other: 0.59 },
  lookup: { polar: 0.85, told: 0.78, other: 0.87 },
  partial: { polar: 0.57, told: 0.51, other: 0.69 },
} as const;
