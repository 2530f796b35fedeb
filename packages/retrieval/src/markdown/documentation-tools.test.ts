import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./parse-markdown.js";
import { quotableBlocks } from "./quotable-blocks.js";

/** What is quoted of a page, its headings in `#`. */
function shown(markdown: string): string {
  const { sections } = parseMarkdown(`${markdown}\n`, { file: "a.mdx" });
  return sections
    .flatMap((section) => [
      ...(section.level > 0 ? [`#${section.heading}#`] : []),
      ...quotableBlocks(section).map(({ text }) => text),
    ])
    .join("\n\n");
}

/** By tool: its markup, and what readers see of it. */
const syntaxes: Readonly<Record<string, readonly (readonly [markdown: string, shown: string])[]>> =
  {
    Hugo: [
      ["{{< highlight go >}}\nrun()\n{{< /highlight >}}", "```go\nrun()\n```"],
      ['See [it]({{< ref "x.md" >}}) and [that]({{% relref "b.md" %}}).', "See it and that."],
      ['{{< card\n  title="A"\n  link="b"\n>}}\n\nText', "**A**\n\nText"],
      ["## Title {.wide}\n\nText.\n{.small}", "#Title#\n\nText."],
      ["Write `{{</* note */>}}`.", "Write `{{</* note */>}}`."],
      ['+++\ntitle = "Set up"\ndraft = false\n+++\n\nText', "Text"],
    ],
    Docusaurus: [
      [
        '<Tabs\n  groupId="os"\n  values={[{a: ">"}]}>\n<TabItem value="a" label="Apple">\n\nText\n\n</TabItem>\n</Tabs>',
        "**Apple**\n\nText",
      ],
      [
        "export const Box = ({a}) => (\n  <b\n    style={{\n      c: a,\n    }}>\n  </b>\n);\n\nText",
        "Text",
      ],
      [
        "::::info\n\nA\n\n:::note\n\nB\n\n:::\n\n::::",
        "> **Info:** A\n>\n> > **Note:**\n> >\n> > B",
      ],
      [":::note[Your *title*]{#id}\nText\n:::", "> **Note:** Your *title*\n> Text"],
      ["{\n  // no\n}\n\n{list.map((a) => <li>{a}</li>)}\n\nText", "Text"],
    ],
    VitePress: [
      [
        '# Title <Badge type="tip" text="^1.9" />\n\nIt is <Badge text="beta" />.',
        "#Title#\n\nIt is beta.",
      ],
      ["<script setup>\nimport a from 'b'\n\nconst c = 1\n</script>\n\nText", "Text"],
      ["<<< ../a.js#region{2}\n\n[[toc]]\n\nText", "Text"],
      [
        'See [x](https://a.example){target="_blank" rel="noopener"}.',
        "See [x](https://a.example).",
      ],
      ["<div>Count is: {{ count }}</div>", "Count is:"],
    ],
    MkDocs: [
      ["Press ++ctrl+alt+del++, `#!js run()`.", "Press ctrl+alt+del, `run()`."],
      ["It is {++new++}{--old--} {~~one~>two~~} {==this==}{>>why<<}", "It is new two this"],
      ["It is ==marked== and ^^new^^, a == b == c.", "It is marked and new, a == b == c."],
      ["/// warning | Mind\nText\n///\n\nAfter", "> **Warning:** Mind\n> Text\n\nAfter"],
      [
        "[Go](x.md){ .md-button .wide } :material-check-all: there[^1].\n\n[^1]: Note.\n    More.",
        "Go there.\n\nNote.\nMore.",
      ],
      ['The HTML.\n\n*[HTML]: Hyper Text\n\n;--8<-- "x.md"', "The HTML."],
      ["!!! note Without quotes\n    Text", "> **Note:** Text"],
      ["::: a.module.Class\n    options:\n      b: c\n\nText", "Text"],
      [
        "!!! example\n\n    ```md\n        ```\n    kept\n    ```\n\nAfter",
        "> **Example:**\n> ```md\n>     ```\n> kept\n> ```\n\nAfter",
      ],
    ],
    GitBook: [
      ['{% code title="a.js" %}\n```js\n1\n```\n{% endcode %}', "```js\n1\n```"],
      [
        "{% stepper %}\n{% step %}\n### Do\n\nText\n{% endstep %}\n{% endstepper %}",
        "#Do#\n\nText",
      ],
      [
        '## Title <a href="#t" id="t"></a>\n\nText&#x20;\n\na&nbsp;b &#8594; c &lt;',
        "#Title#\n\nText\n\na b → c &lt;",
      ],
      ['{% @mermaid/diagram content="graph\nA-->B" %}\n\nText', "Text"],
    ],
    Starlight: [
      [
        '<CardGrid>\n  <Card title="Check" icon="a">\n    Some text.\n  </Card>\n</CardGrid>',
        "**Check**\nSome text.",
      ],
      ['<Aside type="caution" title="Mind">\n\nText\n\n</Aside>', "> **Caution:** Mind\n>\n> Text"],
      ['<LinkCard title="Auth" href="/x/" description="Learn it" />', "**Auth** Learn it"],
      [
        '<Pm>\n  <Fragment slot="npm">\n  ```shell\n  npm i\n  ```\n  </Fragment>\n</Pm>',
        "```shell\nnpm i\n```",
      ],
      [
        "1. One\n\n   <Note>\n   In it.\n   </Note>\n\n2. Two",
        "1. One\n\n   > **Note:** In it.\n\n2. Two",
      ],
    ],
    Nextra: [
      [
        '<Callout type="warning" emoji="!">\n  Text **here**.\n</Callout>',
        "> **Warning:** Text **here**.",
      ],
      ["<Tabs items={['a', 'b']}>\n  <Tabs.Tab>\n\nText\n\n  </Tabs.Tab>\n</Tabs>", "Text"],
      ["## Title [#my-id]\n\nUse `let a{:js}`.", "#Title#\n\nUse `let a`."],
      ["export const metadata = {\n  title: 'x',\n\n  a: 'b'\n}\n\nText", "Text"],
      ["<ReadMore>Learn [x](/x/).</ReadMore>\n\n<Tip>Do.</Tip>", "Learn x.\n\n> **Tip:** Do."],
    ],
    Sphinx: [
      ["```{note}\nText *here*.\n```\n\nAfter", "> **Note:** Text *here*.\n\nAfter"],
      ["```{admonition} Mind\n:class: warning\n\nText.\n```", "> **Warning:** Mind\n>\n>\n> Text."],
      [":::{tip}\nText.\n:::", "> **Tip:** Text."],
      ["See {ref}`Title <label>` and {kbd}`Ctrl`.", "See Title and `Ctrl`."],
      ["(target)=\n# Title\n\nText", "#Title#\n\nText"],
      [
        "```{code-block} python\n:caption: a.py\n:linenos:\n\nprint(1)\n```",
        "```python\nprint(1)\n```",
      ],
      ["```{toctree}\n:maxdepth: 2\n\na\nb\n```\n\nText", "Text"],
      ["::::{tab-set}\n\n:::{tab-item} Linux\nText\n:::\n\n::::", "**Linux**\nText"],
    ],
    mdBook: [
      ["{{#include file.rs:2}}\n\n```rust\n{{#include a.rs}}\n```\n\nText", "Text"],
      ['<div class="warning">\n\nMind it.\n\n</div>', "Mind it."],
    ],
    Laravel: [
      [
        '<a name="x"></a>\n## `after()` {.method .first}\n\nSee [y](/docs/{{version}}/y#z).',
        "#after()#\n\nSee y.",
      ],
      ["> {note} Mind this.", "> **Note:** Mind this."],
      ["<style>\n    .a > p {\n        b: c;\n    }\n\n    .d { e: f; }\n</style>\n\nText", "Text"],
    ],
    others: [
      ["!> Mind this\n\n?> A hint", "> **Important:** Mind this\n\n> **Tip:** A hint"],
      [
        "[x]({{ site.url }}/y) {% link a.md %}and\n{: .note }\n\n[[Page|text]] ![[a.png]]",
        "x and\n\ntext",
      ],
      [':::image source="a.png":::\n\n::: moniker range=">=1"\nText\n::: moniker-end', "Text"],
      ["> | A | B |\n> | - | - |\n> | <b>1</b> | 2 |", "> | A | B |\n> | - | - |\n> | 1 | 2 |"],
    ],
  };

describe("markup of documentation tools", () => {
  const rows = Object.entries(syntaxes).flatMap(([tool, some]) =>
    some.map(([markdown, expected]) => [tool, markdown, expected] as const),
  );

  it.each(rows)("%s: %j is rendered", (_, markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  it("names sections by their own ids", () => {
    const { sections } = parseMarkdown(
      "(target)=\n# A\n\n## B [#own]\n\n## C {/* #mdx */}\n\n## D {: #kram .wide }\n",
      { file: "a.mdx" },
    );

    expect(sections.map(({ anchor, anchors }) => [anchor, anchors.includes("target")])).toEqual([
      ["a", true],
      ["own", false],
      ["c", false],
      ["kram", false],
    ]);
  });

  it("takes the title of a page from TOML", () => {
    const { title } = parseMarkdown(
      '+++\ntitle = "Set up"\n[params]\ntitle = "no"\n+++\n\nText\n',
      {
        file: "a.md",
      },
    );

    expect(title).toBe("Set up");
  });
});
