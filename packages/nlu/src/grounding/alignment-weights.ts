/** Fitted by `npm run fit-grounding`: above 0 speaks against a sentence. */
export const bias = -1.27;
export const weights: Readonly<Record<string, number>> = {
  comparison: 2.92,
  computed: -1.27,
  confirmed: -0.41,
  denial: 2.34,
  direction: 2.92,
  elsewhere: 1.61,
  language: 2.61,
  name: 3.4,
  order: 1.72,
  "other-number": 4.09,
  overall: 1.86,
  time: 3.99,
  total: 2.92,
  unit: 4.36,
  "unknown-words": 1.61,
  warning: 3.26,
  "wide-swap": 2.34,
};
