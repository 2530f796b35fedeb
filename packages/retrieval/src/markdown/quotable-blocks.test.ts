import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./parse-markdown.js";
import { quotableBlocks } from "./quotable-blocks.js";

function blocksIn(markdown: string, file = "a.md") {
  const [section] = parseMarkdown(`# A\n\n${markdown}`, { file }).sections;
  return section === undefined ? [] : quotableBlocks(section);
}
const textsIn = (markdown: string, file?: string) =>
  blocksIn(markdown, file).map(({ text }) => text);

describe("quotableBlocks", () => {
  it("gives paragraphs, whole lists with what stands in them, tables and code, as written", () => {
    const blocks = blocksIn(
      "One. Two\n[goes](x.md) on.\n\n3. First *a*:\n\n   ```sh\n   run --it\n   ```\n\n   - deep\n4. Second\n\n| a | b |\n| - | - |\n| 1 | `2` |\n| 3 | 4 |\n\n> A quote.\n> It goes on.\n\n    indented --code\n",
    );

    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ["paragraph", "One. Two\ngoes on."],
      ["list", "3. First *a*:\n\n   ```sh\n   run --it\n   ```\n\n   - deep\n\n4. Second"],
      ["table", "| a | b |\n| - | - |\n| 1 | `2` |\n| 3 | 4 |"],
      ["quote", "> A quote.\n> It goes on."],
      ["code", "    indented --code"],
    ]);
    expect(blocks[1]).toMatchObject({ isNumbered: true, parts: { length: 2 } });
    expect(blocks[2]?.parts).toEqual(["| a | b |\n| - | - |\n| 1 | `2` |", "| 3 | 4 |"]);
  });

  it("leaves out HTML and pictures, and keeps of links what is safe to follow elsewhere", () => {
    expect(
      textsIn(
        "A <b>bold</b> word.\n\n![x](https://a.example/?q=1)\n\nThe block `<tsdb>` is code, <tsdb> is not.\n\nSee <https://a.example>.\n\nRead [the rules](rules.md), [b](https://b.example/x) or [c](javascript:alert(1)).\n\nHi <script>alert(1)</script>there<!-- no -->.\n\n- [ ] do [this](#x)\n- ![](only.png)\n",
      ),
    ).toEqual([
      "A bold word.",
      "The block `<tsdb>` is code, \\<tsdb> is not.",
      "See <https://a.example>.",
      "Read the rules, [b](https://b.example/x) or c.",
      "Hi there.",
      "- [ ] do this",
    ]);
  });

  it("follows links to where the page defines them, and keeps the text of those that it does not define", () => {
    const [section] = parseMarkdown(
      "# A\n\nUse the [`--dry\nrun` flag] of [*the* tool][t], see [crates.io] and [`a` key][none].\n\n| [`x`] | `m[i][j]` |\n| - | - |\n| [0] | [crates.io][] |\n\n# B\n\n[`--dry run` flag]: flags.md\n[t]: https://t.example\n[crates.io]: https://crates.example\n[`x`]: x.md\n",
      { file: "a.md" },
    ).sections;

    expect(section === undefined ? [] : quotableBlocks(section).map(({ text }) => text)).toEqual([
      "Use the `--dry run` flag of [*the* tool](https://t.example), see [crates.io](https://crates.example) and `a` key.",
      "| `x` | `m[i][j]` |\n| - | - |\n| [0] | [crates.io](https://crates.example) |",
    ]);
  });

  it("leaves out attributes, footnotes and icons, and gives definitions as a list", () => {
    expect(
      textsIn(
        "Press **:octicons-tag-24: go**{ .md-button } at 10:30:15.[^1]\n\n[^1]:\n    Or later.\n\n`{ .a }` and :smile:\n\nTerm\n\n:   Its *meaning*.\n",
      ),
    ).toEqual([
      "Press **go** at 10:30:15.",
      "Or later.",
      "`{ .a }` and :smile:",
      "Term",
      "-   Its *meaning*.",
    ]);
  });

  it("writes callouts of GitHub, MkDocs, Docusaurus, Hugo and GitBook alike", () => {
    const body = "Back up [first](b.md).";
    const forms = [
      `> [!WARNING]\n> ${body}`,
      `!!! warning\n    ${body}`,
      `!!!warning annotate\n    ${body}`,
      `:::warning\n${body}\n:::`,
      `{{< warning >}}\n${body}\n{{< /warning >}}`,
      `{{% alert color="warning" %}}\n${body}\n{{% /alert %}}`,
      `{% hint style="warning" %}\n${body}\n{% endhint %}`,
    ];

    for (const form of forms) {
      expect(blocksIn(`${form}\n\nAfter.\n`)).toMatchObject([
        { kind: "quote", alert: "warning", text: "> **Warning:** Back up first." },
        { kind: "paragraph", text: "After." },
      ]);
    }
  });

  it("names each callout of a quotation, a nested one, and one in a list", () => {
    expect(
      textsIn("> [!TIP] First\n>\n> One.\n>\n> [!NOTE]\n> Two.\n>\n> > [!INFO]\n> > Three.\n"),
    ).toEqual(["> **Tip:** First\n>\n> One.\n>\n> **Note:** Two.\n>\n> > **Info:** Three."]);
    expect(textsIn("- Run it.\n\n  > [!WARNING] Mind\n  > It deletes.\n")).toEqual([
      "- Run it.\n\n  > **Warning:** Mind\n  > It deletes.",
    ]);
  });

  it("drops components, pictures that are defined elsewhere, and icons of headings", () => {
    expect(
      textsIn(
        'Say <my-sound :src="a"></my-sound>it for <name>.\n\n<svg-image :svg="b" />\n\n![Layout]\n\n![Plan][p] shows.\n',
      ),
    ).toEqual(["Say it for \\<name>.", "shows."]);
    const { title, sections } = parseMarkdown(
      "# :material-check-all: All pages {#all}\n\nimport Box from '@site/box'\n\nimport nothing from here\n",
      { file: "a.md" },
    );
    expect(title).toBe("All pages");
    expect(sections).toMatchObject([
      { heading: "All pages", anchor: "all", text: "import nothing from here" },
    ]);
  });

  it("keeps code and lists inside callouts, and ends a callout that was left open at the next heading", () => {
    expect(
      textsIn('!!! tip "Quick"\n    Run:\n\n    ```sh\n    a\n      b\n    ```\n\nAfter.\n'),
    ).toEqual(["> **Tip:** Quick\n> Run:\n>\n> ```sh\n> a\n>   b\n> ```", "After."]);
    const { sections } = parseMarkdown("{{< note >}}\nOpen.\n\n## Next\n\nText.\n", {
      file: "a.md",
    });
    expect(sections.map(({ heading }) => heading)).toEqual(["a", "Next"]);
  });

  it("names tabs by their labels and drops what only templates read", () => {
    expect(
      textsIn(
        '{% tabs %}\n{% tab title="npm" %}\nrun `{% raw %}`\n{% endtab %}\n{% endtabs %}\n\n=== "pip"\n\n    install\n\n[TOC]\n\n{{< include "x.md" >}}\n\nA {{< glossary_tooltip text="Pod" term_id="pod" >}} on {{< param "v" >}} [runs]({{< ref "y.md" >}}).\n\n--8<-- "z.md"\n\n```yaml\na: {{< x >}}\n```\n',
      ),
    ).toEqual([
      "**npm**\nrun `{% raw %}`",
      "**pip**",
      "install",
      "A Pod on  runs.",
      "```yaml\na: {{< x >}}\n```",
    ]);
  });

  it("drops imports of MDX over several lines, and shows what components hold", () => {
    expect(
      textsIn('<Tabs>\n<TabItem value="a">\n\nkept\n\n</TabItem>\n</Tabs>\n', "a.mdx"),
    ).toEqual(["**a**", "kept"]);
    const { sections } = parseMarkdown('import {\n  A,\n  B,\n} from "./x";\n\n# T\n\ntext\n', {
      file: "a.mdx",
    });
    expect(sections.map(({ text }) => text)).toEqual(["text"]);
  });

  it("writes a table of HTML as a table", () => {
    expect(
      textsIn(
        "<table>\n<tr><th>Key</th><th>What</th></tr>\n<tr><td><code>a|b</code></td><td>it &amp; <b>that</b></td></tr>\n</table>\n",
      ),
    ).toEqual(["| Key | What |\n| - | - |\n| a\\|b | it & that |"]);
  });

  it.each([
    ["back quotes", "` `` ``` "],
    ["tags", "<a <b "],
    ["template tags", "{{< a {% b "],
    ["quotations", "> > "],
    ["lists", "- - "],
    ["pictures", "(!["],
    ["blank lines in code", "```\n\n\n\n"],
  ])("takes time in proportion to the text: %s", (_, piece) => {
    const timeOf = (length: number) => {
      const text = `${piece.repeat(length / piece.length)}\n`;
      const started = process.cpuUsage();
      blocksIn(text);
      return process.cpuUsage(started).user / 1_000;
    };
    timeOf(1_000);
    // Sixteen times the text: quadratic would be 256 times the time, at each attempt.
    const growths: number[] = [];
    do growths.push(timeOf(64_000) / Math.max(timeOf(4_000), 1));
    while (growths.length < 5 && Math.min(...growths) >= 100);
    expect(Math.min(...growths)).toBeLessThan(100);
  });
});
