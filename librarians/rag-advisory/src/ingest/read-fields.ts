/** Reads a date: `2026-10-01`, the date of a timestamp, or `2026-10` as its first day. */
export function readDate(text: string): string | undefined {
  const [, month, day = "01"] =
    /^(\d{4}-\d{2})(?:-(\d{2})(?:[T ]\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?)?$/.exec(text) ??
    [];
  if (month === undefined) return undefined;
  const date = `${month}-${day}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  // February 30 would be taken for a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}

/** Reads an address that can be shown as a link. */
export function readUrl(text: string): string | undefined {
  if (text.length > 2_000 || !URL.canParse(text)) return undefined;
  const { protocol, username, password } = new URL(text);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb && username === "" && password === "" ? text : undefined;
}
