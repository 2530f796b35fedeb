const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Reads a quantity such as `250m` or `512Mi` as a number. Undefined for anything else. */
export function parseQuantity(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const match =
    /^([+-]?\d{1,20}(?:\.\d{1,20})?)(?:[eE]([+-]?\d{1,2}))?([numkMGTPE]|[KMGTPE]i|)$/.exec(value);
  if (match === null) return undefined;
  const [, digits = "", exponent = "0", unit = ""] = match;
  return Number(digits) * 10 ** Number(exponent) * (factors[unit] ?? 1);
}
