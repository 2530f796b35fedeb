/** Fitted by `npm run fit-grounding`: above 0 speaks against a sentence. */
export const bias = -1.32;
export const weights: Readonly<Record<string, number>> = {
  bare: 1.54,
  comparison: 4.27,
  computed: -2.69,
  denied: 2.43,
  direction: 2.65,
  elsewhere: 2.78,
  exchanged: 2.09,
  language: 3.07,
  name: 3.67,
  "not-denied": 3.03,
  novel: 4.1,
  "novel-words": -1.24,
  "other-number": 2.52,
  overall: 1.84,
  replaced: 2.22,
  time: 3.33,
  total: 2.35,
  unit: 5.42,
  "wide-swap": 2.18,
};
