import { fileURLToPath } from "node:url";
import type { RegexLiteral } from "./literals.js";

const root = new URL("../../", import.meta.url);

/** Loads files of the sources and records the regular expressions they make as they load, each once. */
export async function readMadeRegexes(
  files: Iterable<string>,
): Promise<ReadonlyMap<string, RegexLiteral>> {
  const made = new Map<string, RegexLiteral>();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args, newTarget) {
      const regex: unknown = Reflect.construct(target, args, newTarget);
      const place = sourceFrame();
      if (regex instanceof Native && place !== undefined) {
        const { source, flags } = regex;
        const known = made.get(String(regex)) ?? { text: String(regex), source, flags, places: [] };
        if (!known.places.includes(place)) known.places.push(place);
        made.set(known.text, known);
      }
      return regex as object; // what the constructor made
    },
  });
  try {
    for (const file of files) await import(new URL(file, root).href);
  } finally {
    globalThis.RegExp = Native;
  }
  return made;
}

/** The file of the sources that the call comes from. Undefined for one of a library. */
function sourceFrame(): string | undefined {
  const [frame = ""] = (new Error("frame").stack ?? "")
    .split("\n")
    .filter((line) => line.includes(fileURLToPath(root)) && !line.includes("/scripts/regexes/"));
  return /\/((?:packages|librarians)\/[\w-]+\/src\/[\w./-]+):\d/.exec(frame)?.[1];
}
