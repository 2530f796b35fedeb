/** The same without keys whose value is `undefined`, which JSON cannot hold. */
export function withoutUndefined<Plain extends object>(plain: Plain): Plain {
  const defined = Object.entries(plain).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Plain; // what is left out may be absent
}
