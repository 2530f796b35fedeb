/** The same with the keys that say something: JSON has no others. */
export function withoutUndefined<Plain extends object>(plain: Plain): Plain {
  const said = Object.entries(plain).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as Plain; // what is left out may be absent
}
