/**
 * The anchor GitHub gives a heading.
 *
 * @param heading - Its text, without markup.
 */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .replace(/\s/g, "-");
}

/** Tells the headings of one page apart: the second "Usage" is `usage-1`. */
export function createSlugger(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const plain = slugOf(heading);
    let count = taken.get(plain) ?? 0;
    let slug = count === 0 ? plain : `${plain}-${count}`;
    while (count > 0 && taken.has(slug)) slug = `${plain}-${++count}`;
    taken.set(plain, count + 1);
    if (slug !== plain) taken.set(slug, 1);
    return slug;
  };
}
