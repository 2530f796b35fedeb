import { sanitizeText } from "@constellation/authoring";

/** Default maximum number of lines and bytes of a log. */
export const logDefaults = { tailLines: 100, limitBytes: 65_536 } as const;

/**
 * The end of a log, since that is where a crash shows.
 *
 * @returns At most `tailLines` lines and `limitBytes` bytes of UTF-8, from the end, and whether anything
 *   was cut. A line that does not fit is cut at its start.
 */
export function cutToTail(
  log: string,
  tailLines: number = logDefaults.tailLines,
  limitBytes: number = logDefaults.limitBytes,
): { readonly text: string; readonly cut: boolean } {
  const end = log.endsWith("\n") ? log.length - 1 : log.length;
  let from = end;
  for (let line = 0; line < tailLines && from > 0; line++) {
    const lineEnd = line === 0 ? end : from - 1;
    from = lineEnd === 0 ? 0 : log.lastIndexOf("\n", lineEnd - 1) + 1;
  }
  // A code unit is at least one byte, so no more of them can fit.
  const start = Math.max(from, end - limitBytes);
  const bytes = Buffer.from(log.slice(start, end));
  if (bytes.length <= limitBytes) return { text: log.slice(start, end), cut: start > 0 };
  let first = bytes.length - limitBytes;
  while (isContinuation(bytes[first])) first++;
  return { text: bytes.subarray(first).toString("utf8"), cut: true };
}

/** As {@link cutToTail}, without control sequences and invisible characters. */
export function readTail(
  log: string,
  tailLines?: number,
  limitBytes?: number,
): { readonly text: string; readonly cut: boolean } {
  const { text, cut } = cutToTail(log, tailLines, limitBytes);
  return { text: sanitizeText(text), cut };
}

/** True for a byte of UTF-8 that has lost the start of its character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
