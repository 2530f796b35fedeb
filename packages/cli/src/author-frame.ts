import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The first frame of a stack in the author's own code, as `file:line:column`.
 *
 * @param cwd - Folder that the file is shown relative to.
 * @returns `undefined` without such a frame: the error comes from Node.js or a package.
 */
export function authorFrame(stack: string, cwd: string): string | undefined {
  for (const line of stack.split("\n")) {
    const [, place] =
      /^\s{0,8}at (?:.{1,500} \()?((?:file:|\/|[A-Za-z]:\\)[^()]{1,1000}:\d+:\d+)\)?$/.exec(line) ??
      [];
    if (place === undefined || isOurs(place)) continue;
    const [, file = place, position = ""] = /^(.*?)(:\d+:\d+)$/.exec(place) ?? [];
    const [path = file] = file.startsWith("file:")
      ? [fileURLToPath(file.split("?", 1)[0] ?? file)]
      : [file];
    const shown = relative(cwd, path);
    return (shown.startsWith("..") ? path : shown) + position;
  }
  return undefined;
}

/** Folder of this command's modules; in a bundle, the bundle alone: the author's code may be beside it. */
const ownCode = import.meta.url.replace(/\/author-frame\.[jt]s$/, "");

/** Whether a frame is in a package, or in this command. */
function isOurs(place: string): boolean {
  return (
    /[\\/]node_modules[\\/]|[\\/]packages[\\/]core[\\/]/.test(place) ||
    place.includes(ownCode) ||
    place.startsWith(fileURLToPath(ownCode))
  );
}
