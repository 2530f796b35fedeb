/** Fitted by `npm run fit-grounding`: above 0 speaks against a sentence. */
export const bias = -1.47;
export const weights: Readonly<Record<string, number>> = {
  bare: 1.49,
  comparison: 5.27,
  computed: -2.72,
  denied: 2.68,
  direction: 3.07,
  elsewhere: 2.81,
  exchanged: 2.15,
  language: 3.12,
  name: 3.86,
  "not-denied": 3.07,
  novel: 4.83,
  "novel-words": -1.54,
  "other-number": 2.85,
  overall: 2.06,
  replaced: 2.9,
  time: 3.6,
  total: 2.76,
  unit: 5.57,
  "wide-swap": 2.76,
};
