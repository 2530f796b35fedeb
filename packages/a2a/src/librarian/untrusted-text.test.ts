import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitizeLine, sanitizeText } from "./untrusted-text.js";

describe("sanitizeText", () => {
  it("leaves nothing that a terminal would act on, and no change of direction", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(sanitizeText(text)).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}|\p{Cs}/u);
      }),
    );
  });

  it.each([
    ["\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b(Bplain\u001bPq#0\u001b\\", "red plain"],
    [
      "zero\u200bwidth \ufeffmark so\u00adft \u2060join\u{e0041}\u{e0042}",
      "zerowidth mark soft join",
    ],
    ["\u202egnp.exe\u202c \u2066a\u2069 \u200e\u200f\u061c", "gnp.exe a "],
    [
      "one\u2028two\u2029three\u0085four\rfive\r\nsix\u000bseven",
      "one\ntwo\nthree\nfour\nfive\nsix\nseven",
    ],
    ["hidden\u200d\u200c\u200d\u200cbits", "hiddenbits"],
    ["half \ud83d", "half \ufffd"],
  ])("writes %j as %j", (text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
  });

  it.each(["Grüße, 你好 👋\n\tindented\n", "👩‍👩‍👧 ❤️ 1️⃣ 👍🏽", "می‌خواهم", "क्‍ष"])(
    "keeps %j, which people write",
    (text) => {
      expect(sanitizeText(text)).toBe(text);
    },
  );
});

describe("sanitizeLine", () => {
  it("gives one line of bounded length", () => {
    expect(sanitizeLine(" a\n\u2028 b\tc ", 100)).toBe("a b c");
    expect(sanitizeLine("x".repeat(1_000), 10)).toBe("x".repeat(10));
  });
});
