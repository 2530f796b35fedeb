import { describe, expect, it } from "vitest";
import { isVisibleName, spelledName, visibleText } from "./visible-text.js";

describe("visibleText", () => {
  it.each([
    ["an escape sequence", "\u001b[31mred", "[31mred"],
    ["marks that turn the writing direction round", "a \u202egnp\u202c", "a gnp"],
    ["zero-width spaces and joiners", "pass\u200bword\u200d", "password"],
    ["characters that carry hidden text", "hi\u{E0041}\u{E0042}", "hi"],
    ["half a pair", "a\uD800b", "ab"],
  ])("leaves out %s", (_, text, seen) => {
    expect(visibleText(text)).toBe(seen);
  });

  it("keeps what belongs to a script, to emoji, and to the lines of the page", () => {
    const text =
      "\tma\u0301s\n\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩🏽\u200d💻 ❤️\u200d🔥\n";

    expect(visibleText(text)).toBe(text);
    expect(visibleText("a\u2028b\n").split("\n")).toHaveLength(2);
  });
});

describe("isVisibleName", () => {
  it("distinguishes names that show all they hold from those that do not, and spells these out", () => {
    expect(["größe.md", "日本.md", "a b.md"].every(isVisibleName)).toBe(true);
    expect(["\u202ecod.md", "a\nb.md", "a\u200b.md", "a\uFFFD.md"].some(isVisibleName)).toBe(false);
    expect(spelledName("\u202ecod\n.md")).toBe("\\u{202e}cod\\u{a}.md");
  });
});
