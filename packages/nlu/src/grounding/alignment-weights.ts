/** Fitted by `npm run fit-grounding`: above 0 speaks against a sentence. */
export const bias = -1.46;
export const weights: Readonly<Record<string, number>> = {
  bare: 1.44,
  comparison: 5.25,
  computed: -2.71,
  denied: 2.67,
  direction: 3.06,
  elsewhere: 2.97,
  exchanged: 2.14,
  language: 3.15,
  name: 3.85,
  "not-denied": 3.06,
  novel: 4.86,
  "novel-words": -1.57,
  "other-number": 2.84,
  overall: 2.06,
  replaced: 2.89,
  time: 3.59,
  total: 2.76,
  unit: 5.55,
  "wide-swap": 2.76,
};
