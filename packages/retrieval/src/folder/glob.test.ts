import { describe, expect, it } from "vitest";
import { globMatcher } from "./glob.js";

describe("globMatcher", () => {
  it.each([
    ["*.md", "a.md", true],
    ["*.md", "x/a.md", true],
    ["x/*.md", "x/a.md", true],
    ["x/*.md", "x/y/a.md", false],
    ["x/**/*.md", "x/a.md", true],
    ["x/**/*.md", "x/y/z/a.md", true],
    ["x/**", "x/y/a.md", true],
    ["**/drafts/**", "a/drafts/b.md", true],
    ["a?.{md,mdx}", "ab.mdx", true],
    ["a?.{md,mdx}", "abc.mdx", false],
    ["a.md", "aXmd", false],
    ["{a", "{a", true],
    ["v[12].md", "v2.md", true],
    ["v[12].md", "v3.md", false],
    ["./x/*.md", "x/a.md", true],
    ["x/*.md", "x/.a.md", true],
    ["!a.md", "b.md", false],
    [".*", ".git", true],
    [".*", "a.git", false],
  ])("%s and %s: %s", (glob, file, matches) => {
    expect(globMatcher(glob)(file)).toBe(matches);
  });
});
