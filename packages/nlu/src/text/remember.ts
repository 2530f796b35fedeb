/** Maximum number of texts whose reading is kept. */
const maxKept = 8;

/**
 * A reader that keeps what it read of the last few texts: of one question the same is read in many places. What it gives must
 * not be changed.
 */
export function rememberRecent<Read>(read: (text: string) => Read): (text: string) => Read {
  const kept = new Map<string, Read>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const fresh = read(text);
    kept.set(text, fresh);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return fresh;
  };
}
