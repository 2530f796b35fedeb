import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutMarkdown, plainMarkdown, plainText } from "./untrusted-text.js";

describe("plainMarkdown", () => {
  it.each([
    ["<script>alert(1)</script>", "\\<script>alert(1)\\</script>"],
    ["a < b and a <= b", "a < b and a <= b"],
    ["`<b>` is code, <b> is not", "`<b>` is code, \\<b> is not"],
    ["```html\n<b>\n```\n<!-- hidden -->", "```html\n<b>\n```\n\\<!-- hidden -->"],
    ["already \\<b>", "already \\<b>"],
    ["``` <b>", "``` \\<b>"],
  ])("writes %j as %j", (text, expected) => {
    expect(plainMarkdown(text)).toBe(expected);
  });

  it("leaves the same when it is done again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("<", "b", ">", "`", "```", "\n", "\\", " ", "~~~", "\u001b[1m")),
        (pieces) => {
          const once = plainMarkdown(pieces.join(""));

          expect(plainMarkdown(once)).toBe(once);
        },
      ),
    );
  });

  it("takes time that grows with the text and no faster, whatever the text is", () => {
    const hostile = (size: number) =>
      Array.from({ length: size }, (_, index) => "`".repeat(index + 1)).join(" ");
    const timeOf = (text: string) => {
      const begun = performance.now();
      plainMarkdown(text);
      return performance.now() - begun;
    };
    const [short, long] = [hostile(350), hostile(1_400)]; // 61,000 and 980,000 characters
    timeOf(short); // warms up
    const shortMs = Math.max(1, timeOf(short));

    expect(timeOf(long) / shortMs).toBeLessThan((4 * long.length) / short.length);
  });
});

describe("cutMarkdown", () => {
  it("opens nothing that was closed, and keeps to its length", () => {
    expect(cutMarkdown("see `<b>` there", 9)).toBe("see `\\<b…");
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("<b>", "`", "```\n", " ")),
        fc.integer({ min: 1, max: 20 }),
        (pieces, length) => {
          const cut = cutMarkdown(pieces.join(""), length);

          expect(cut.length).toBeLessThanOrEqual(length);
          expect(plainMarkdown(cut)).toBe(cut);
        },
      ),
    );
  });
});

describe("plainText", () => {
  it("leaves nothing that a terminal would act on, and no change of direction", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plainText(text)).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it("keeps what people write", () => {
    expect(plainText("Grüße, 你好 👋\n\tindented\r\n")).toBe("Grüße, 你好 👋\n\tindented\n");
  });
});
