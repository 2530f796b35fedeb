import picomatch from "picomatch";

/**
 * Reads a glob over paths with forward slashes: `*` within a folder, `**` across folders, `?` one
 * character, `{a,b}` either, `[a-z]` a range. Names with a dot match like any other. A glob without a
 * slash is tried on the last part of the path.
 *
 * @returns A test of a whole path relative to the root.
 */
export function globMatcher(glob: string): (file: string) => boolean {
  const isName = !glob.includes("/");
  const pattern = glob.replace(/^\.?\//, "");
  return picomatch(pattern, { basename: isName, dot: true, nonegate: true, windows: false });
}
