/**
 * Reads a simple glob over paths with forward slashes: `*` within a folder, `**` across folders,
 * `?` one character, `{a,b}` either. A glob without a slash is tried on the last part of the path.
 *
 * @returns A test of a whole path relative to the root.
 */
export function globMatcher(glob: string): (file: string) => boolean {
  const isName = !glob.includes("/");
  const pattern = new RegExp(`^${patternOf(glob.replace(/^\.?\//, ""))}$`, "u");
  return (file) => pattern.test(isName ? file.slice(file.lastIndexOf("/") + 1) : file);
}

function patternOf(glob: string): string {
  let pattern = "";
  let open = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? "";
    if (glob.startsWith("**/", at)) {
      // One optional run of folders; stars that follow add nothing.
      pattern += "(?:[^/]+/)*";
      while (glob.startsWith("**/", at + 3)) at += 3;
      at += 2;
    } else if (character === "*") {
      const isDeep = glob[at + 1] === "*";
      while (glob[at + 1] === "*") at++;
      pattern += isDeep ? ".*" : "[^/]*";
    } else if (character === "?") pattern += "[^/]";
    else if (character === "{") {
      open++;
      pattern += "(?:";
    } else if (character === "}" && open > 0) {
      open--;
      pattern += ")";
    } else if (character === "," && open > 0) pattern += "|";
    else pattern += character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  }
  return pattern + ")".repeat(open);
}
