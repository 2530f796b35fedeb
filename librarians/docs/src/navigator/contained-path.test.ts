import { describe, expect, it } from "vitest";
import { containmentProblem } from "./contained-path.js";

describe("containmentProblem", () => {
  it.each([
    "a.md",
    "troubleshooting/pod-errors.md",
    "guide/.hidden/a.md",
    "FAQ & more/what is new?.md",
    "100%/a.md",
    "日本語/概要.md",
    "a..b/c.md",
  ])("NAV-014: has nothing against %j", (path) => {
    expect(containmentProblem(path)).toBeUndefined();
  });

  it.each([
    ["", "is blank"],
    [" a.md", "has blanks at its ends"],
    ["a\0.md", "has control characters"],
    ["a\u202Edm.md", "has control characters"],
    ["..\\x.md", "has a backslash"],
    ["C:x.md", "is a URL or has a drive letter"],
    ["https://x/a.md", "is a URL or has a drive letter"],
    ["file:a.md", "is a URL or has a drive letter"],
    ["/etc/passwd", "is absolute"],
    ["~/a.md", "is absolute"],
    ["%2e%2e/a.md", "is URL-encoded"],
    ["a%2Fb.md", "is URL-encoded"],
    ["a/../../x.md", "has a segment of dots"],
    ["./a.md", "has a segment of dots"],
    ["a/.../x.md", "has a segment of dots"],
    ["．．/x.md", "has a segment of dots"],
    ["..／x.md", "hides a slash"],
    ["a//b.md", "has an empty segment"],
    ["a/", "has an empty segment"],
    ["a/b.md.", "has a segment that ends in a dot or a blank"],
    ["a /b.md", "has a segment that ends in a dot or a blank"],
  ])("NAV-014: says of %j that it %s", (path, problem) => {
    expect(containmentProblem(path)).toBe(problem);
  });
});
