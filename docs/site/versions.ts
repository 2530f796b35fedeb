import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What of the published site is built: `0.2` of a release, `next` of what is not released yet. */
export const nextRelease = "next";

/** A line of releases, and the tag of its newest one. */
export interface ReleaseLine {
  /** `0.2`: patches change no page that people link to. */
  readonly name: string;
  readonly tag: string;
}

/** @param tags - All of the repository; those of core name the releases. @returns Newest first. */
export function listReleaseLines(tags: readonly string[]): readonly ReleaseLine[] {
  const lines = new Map<string, ReleaseLine>();
  const releases = tags.flatMap((tag) => {
    const [, major, minor, patch] = /^@constellation\/core@(\d+)\.(\d+)\.(\d+)$/.exec(tag) ?? [];
    return major === undefined ? [] : [{ tag, numbers: [major, minor, patch].map(Number) }];
  });
  for (const { tag, numbers } of releases.sort((one, two) => compare(two.numbers, one.numbers))) {
    const name = numbers.slice(0, 2).join(".");
    if (!lines.has(name)) lines.set(name, { name, tag });
  }
  return [...lines.values()];
}

function compare(one: readonly number[], two: readonly number[]): number {
  const place = one.findIndex((number, index) => number !== two[index]);
  return place < 0 ? 0 : (one[place] ?? 0) - (two[place] ?? 0);
}

/**
 * Writes the two pages above all versions: the first one leads to the newest release, or to `next` before there is one, and
 * `versions.html` lists them.
 *
 * @param folder - Of the published site, with a folder for each version.
 */
export function writeVersionPages(folder: string): void {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^(?:\d+\.\d+|next)$/.test(entry.name))
    .map(({ name }) => name);
  const released = names
    .filter((name) => name !== nextRelease)
    .sort((one, two) => compare(two.split(".").map(Number), one.split(".").map(Number)));
  const head = '<!doctype html><html lang="en"><meta charset="utf-8">';
  const first = `${released[0] ?? nextRelease}/`;
  const items = [...released, nextRelease].map((name) => {
    const words = name === nextRelease ? "next: not released yet" : name;
    return `<li><a href="${name}/">${words}</a></li>`;
  });
  writeFileSync(
    join(folder, "index.html"),
    `${head}<title>Constellation</title><meta http-equiv="refresh" content="0; url=${first}"><a href="${first}">Constellation</a></html>\n`,
  );
  writeFileSync(
    join(folder, "versions.html"),
    `${head}<title>Versions of Constellation</title><h1>Versions</h1><ul>${items.join("")}</ul></html>\n`,
  );
}
