import { describe, expect, it } from "vitest";
import { rawHtml } from "./answer-checks.js";

describe("rawHtml", () => {
  it.each([
    "a < b and c > d",
    "`<pod>` in code",
    "``a ` <pod>`` in code",
    "```html\n<b>shown</b>\n```",
    "1. first\n   ```html\n   <b>shown</b>\n   ```\n2. second",
    "~~~\n<b>never closed",
    "    <b>indented</b>",
    "<https://docs.example/a?b=c> and <me@docs.example>",
    "escaped \\<b>",
    "```\ncode\n``` and no end <i>",
  ])("finds none in %j", (markdown) => {
    expect(rawHtml(markdown)).toBeUndefined();
  });

  it.each([
    ["<b>bold</b>", "<b>"],
    ["line\n<br/>", "<br/>"],
    ["</div>", "</div>"],
    ["run <pod-name>", "<pod-name>"],
    ['<a href="https://docs.example">x</a>', '<a href="https://docs.example">'],
    ["<!-- hidden -->", "<!--"],
    ["```\ncode\n```\n<script>alert(1)</script>", "<script>"],
  ])("finds it in %j", (markdown, html) => {
    expect(rawHtml(markdown)).toBe(html);
  });
});
