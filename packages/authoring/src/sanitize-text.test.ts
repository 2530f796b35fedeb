import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitizeText, truncateText } from "./sanitize-text.js";

describe("sanitizeText", () => {
  it.each([
    ["\u001b[2J\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007text", "text"],
    ["a\u0000b\u0008c\u007fd\u0084e", "abcde"],
    ["zero\u200bwidth\u200d\u2060\ufeff", "zerowidth"],
    ["\u202egnp.exe\u202c \u2066x\u2069", "gnp.exe x"],
    ["hidden \u{E0041}\u{E0100}tags", "hidden tags"],
    ["one\u2028two\u2029three\r\nfour\rfive\u0085six", "one\ntwo\nthree\nfour\nfive\nsix"],
    ["tab\tstays", "tab\tstays"],
    ["half \ud800 of a pair", "half \ufffd of a pair"],
    ["plain text, naïve 漢字 ⚠️", "plain text, naïve 漢字 ⚠️"],
  ])("makes of %j %j", (text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
    expect(sanitizeText(expected)).toBe(expected);
  });

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

  it("joins lines to one on demand", () => {
    expect(sanitizeText("  a\n\n b\u2028c\t", { singleLine: true })).toBe("a b c");
  });

  it("cuts to a maximum length, between characters", () => {
    expect(sanitizeText("abcdef", { maxLength: 4 })).toBe("abc…");
    expect(truncateText("ab\u{1F600}cd", 4)).toBe("ab…");
    expect(truncateText("abcd", 4)).toBe("abcd");
    expect(truncateText("abcd", 1)).toBe("…");
  });
});
