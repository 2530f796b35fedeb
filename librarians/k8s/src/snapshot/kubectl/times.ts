const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  y: 31_536_000_000,
};

/** An age as `kubectl` prints it, `3d4h` or `45m`, in milliseconds. Undefined for any other text. */
export function parseAge(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,6})([smhdy])/g)];
  if (parts.length === 0 || !/^(?:\d{1,6}[smhdy]){1,4}$/.test(text.trim())) return undefined;
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ""] ?? 0),
    0,
  );
}

/** `3m (x12 over 45m)` as count, first and last time. */
export function parseSeen(
  text: string,
  now: number,
): { readonly count: number; readonly first: string; readonly last: string } | undefined {
  const [age = ""] = text.trim().split(" ");
  const last = parseAge(age);
  if (last === undefined) return undefined;
  const repeated = /\(x(\d{1,9}) over (\w{1,20})\)/.exec(text);
  const first = repeated?.[2] === undefined ? last : (parseAge(repeated[2]) ?? last);
  return {
    count: Number(repeated?.[1] ?? 1),
    first: new Date(now - first).toISOString(),
    last: new Date(now - last).toISOString(),
  };
}

/** The newest moment that a text names in full, in epoch milliseconds. */
export function newestIn(text: string): number | undefined {
  const found = [
    ...text.matchAll(/\b\w{3}, \d{1,2} \w{3} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}/g),
  ].flatMap(([match]) => {
    const at = Date.parse(match);
    return Number.isFinite(at) ? [at] : [];
  });
  return found.length === 0 ? undefined : found.reduce((a, b) => Math.max(a, b));
}
