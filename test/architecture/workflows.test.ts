import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));
const files = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));

/** An action of this repository, or another one by its commit, with the version beside it for people. */
const pinned =
  /^(?:\.\/\S+|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|docker:\/\/\S+@sha256:[0-9a-f]{64})$/;

/** What each `uses` of a workflow names, as it is written. */
function usesIn(text: string): readonly string[] {
  return [...text.matchAll(/^[\s-]*["']?uses["']?:[ \t]*(.*?)[ \t]*$/gm)].map(
    ([, used = ""]) => used,
  );
}

describe("the workflows", () => {
  it.each(files)("%s names every action by its commit: a tag can be moved", (file) => {
    const used = usesIn(readFileSync(join(folder, file), "utf8"));

    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !pinned.test(action))).toEqual([]);
  });

  it.each(files)("%s states its permissions", (file) => {
    expect(readFileSync(join(folder, file), "utf8")).toMatch(/^permissions:/m);
  });

  it.each([
    "actions/checkout@v4",
    "actions/checkout@main",
    "actions/checkout@11d5960",
    "actions/checkout@11d5960a326750d5838078e36cf38b85af677262",
    "docker://node:20",
  ])("an action is not pinned by %s", (used) => {
    expect(usesIn(`    - uses: ${used}`)).toEqual([used]);
    expect(used).not.toMatch(pinned);
  });
});
