import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./parse-markdown.js";

const parse = (text: string, file = "page.md") => parseMarkdown(text, { file });

describe("parseMarkdown", () => {
  it("cuts a page at its headings, with their paths, lines and text", () => {
    const page = parse(
      "# Guide\n\nIntro.\n\n## Restart\n\nStop it.\nStart it.\n\n### Why\n\nBecause.\n",
    );

    expect(page).toMatchObject({ file: "page.md", title: "Guide", problems: [] });
    expect(
      page.sections.map(({ heading, headingPath, level, startLine, endLine, text }) => [
        heading,
        headingPath.join(" > "),
        level,
        startLine,
        endLine,
        text,
      ]),
    ).toEqual([
      ["Guide", "Guide", 1, 1, 3, "Intro."],
      ["Restart", "Guide > Restart", 2, 5, 8, "Stop it.\nStart it."],
      ["Why", "Guide > Restart > Why", 3, 10, 12, "Because."],
    ]);
  });

  it("reads headings that are underlined", () => {
    const { sections } = parse("Guide\n=====\n\nRestart\n-------\n\nStop it.\n");

    expect(sections.map(({ heading, level }) => [heading, level])).toEqual([
      ["Guide", 1],
      ["Restart", 2],
    ]);
  });

  it("distinguishes headings of the same name as GitHub does", () => {
    const { sections } = parse("# Usage\n# Usage\n# Usage-1\n# Usage\n");

    expect(sections.map(({ anchor }) => anchor)).toEqual([
      "usage",
      "usage-1",
      "usage-1-1",
      "usage-2",
    ]);
  });

  it("gives slugs without marks, with letters of any language", () => {
    const { sections } = parse("## `forceClose()` & Größe: **v2.0**!\n");

    expect(sections[0]).toMatchObject({
      heading: "forceClose() & Größe: v2.0!",
      anchor: "forceclose--größe-v20",
    });
  });

  it("takes anchors from attributes and from names in front of or inside a heading", () => {
    const { sections } = parse(
      '# A {#own}\n\ntext\n\n<a name="before"></a>\n\n## B <a id="inside"></a>\n',
    );

    expect(sections[0]).toMatchObject({ heading: "A", anchor: "own", anchors: ["own", "a"] });
    expect(sections[1]).toMatchObject({
      heading: "B",
      anchor: "b",
      anchors: ["b", "before", "inside"],
    });
  });

  it("keeps text before the first heading under the page's title", () => {
    const { sections, title } = parse("Hello.\n\n# Guide\n");

    expect(title).toBe("Guide");
    expect(sections[0]).toMatchObject({ heading: "Guide", level: 0, anchor: "", text: "Hello." });
  });

  it("reads front matter and keeps the line numbers below it", () => {
    const page = parse("---\ntitle: Rules\naliases: [alerts]\n---\n\n## One\n\ntext\n");

    expect(page.title).toBe("Rules");
    expect(page.frontMatter).toEqual({ title: "Rules", aliases: ["alerts"] });
    expect(
      page.sections.map(({ heading, level, startLine }) => [heading, level, startLine]),
    ).toEqual([
      ["Rules", 0, 1],
      ["One", 2, 6],
    ]);
  });

  it("says so when front matter is not YAML, and reads the rest", () => {
    const page = parse("---\ntitle: [1\n---\n# A\n");

    expect(page.problems).toHaveLength(1);
    expect(page.title).toBe("A");
  });

  it("does not take prose between two rules for front matter", () => {
    expect(parse("---\nJust a line.\n---\n").sections[0]?.markdown).toContain("Just a line.");
  });

  it("finds no headings in code, fenced, indented or in a list", () => {
    const { sections } = parse(
      "# A\n\n```sh\n# no\n```\n\n    # no\n\n- item\n\n  ~~~\n  ## no\n  ~~~\n",
    );

    expect(sections.map(({ heading }) => heading)).toEqual(["A"]);
    expect(sections[0]?.blocks.map(({ kind }) => kind)).toEqual([
      "code",
      "code",
      "list-item",
      "code",
    ]);
  });

  it("gives code with its language, its lines and every character", () => {
    const { sections } = parse("# A\n\n```yaml title=x\na:\n  - b\n```\n");

    expect(sections[0]?.blocks).toEqual([
      { kind: "code", language: "yaml", text: "a:\n  - b", startLine: 3, endLine: 6 },
    ]);
    expect(sections[0]?.text).toBe("");
  });

  it("gives table rows, the names of the columns first", () => {
    const { sections } = parse("| Flag | Means |\n| --- | --- |\n| `-v` | talk |\n");

    expect(sections[0]?.blocks).toEqual([
      { kind: "table-row", text: "Flag | Means", startLine: 1, endLine: 1, header: true },
      { kind: "table-row", text: "-v | talk", startLine: 3, endLine: 3 },
    ]);
  });

  it("gives list items and quotes their own blocks", () => {
    const { sections } = parse("1. one\n   - two\n\n> three\n>\n> [!NOTE]\n> four\n");

    expect(sections[0]?.blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ["list-item", "one"],
      ["list-item", "two"],
      ["quote", "three"],
      ["quote", "four"],
    ]);
  });

  it("shows links by their text and keeps where they lead, reference links too", () => {
    const { sections } = parse(
      "See [the *rules*](rules.md#a%20b) and [flags][f].\n\n[f]: ../flags.md\n",
    );

    expect(sections[0]?.text).toBe("See the rules and flags.");
    expect(sections[0]?.links).toEqual([
      { text: "the rules", target: "rules.md#a%20b" },
      { text: "flags", target: "../flags.md" },
    ]);
  });

  it("strips HTML to its text and keeps placeholders", () => {
    const { sections } = parse(
      "<div>\n<b>Bold</b> &amp; more\n<!-- hidden -->\n</div>\n\nA <br> B <namespace>\n",
    );

    expect(sections[0]?.text).toBe("Bold & more\nA   B <namespace>");
  });

  it("reads callouts and tabs as text, with the code inside them", () => {
    const { sections } = parse(
      '# A\n\n!!! note "Mind"\n    Careful.\n\n    ```sh\n    rm\n    ```\n\nAfter.\n\n:::tip Hint\nGood.\n:::\n',
    );

    expect(sections[0]?.blocks.map(({ kind, text, startLine }) => [kind, text, startLine])).toEqual(
      [
        ["quote", "Mind\nCareful.", 3],
        ["code", "rm", 6],
        ["paragraph", "After.", 10],
        ["quote", "Hint\nGood.", 12],
      ],
    );
  });

  it("drops what MDX leaves behind", () => {
    const text =
      'import X from "./x"\nexport const a = 1\n\n# A\n\n{/* gone\ngone */}\n<Tabs value="a">kept</Tabs>\n';

    expect(parse(text, "page.mdx").sections.map((section) => section.text)).toEqual(["kept"]);
  });

  it("counts lines the same with every kind of line end and a byte order mark", () => {
    const lines = ["# A", "", "text", "", "## B", "more"];

    const [plain, crlf, cr] = ["\n", "\r\n", "\r"].map((end) => parse(`\uFEFF${lines.join(end)}`));

    expect(crlf).toEqual(plain);
    expect(cr).toEqual(plain);
  });

  it("has no sections for an empty file, and names it after the file", () => {
    expect(parse("", "guides/set-up.md")).toEqual({
      file: "guides/set-up.md",
      title: "set-up",
      frontMatter: {},
      sections: [],
      problems: [],
    });
  });

  it("refuses text with NUL characters, and cuts text at its limit", () => {
    expect(parse("# A\0").sections).toEqual([]);
    const cut = parseMarkdown("# A\n\n# B\n", { file: "a.md", maxLength: 5 });

    expect(cut.sections.map(({ heading }) => heading)).toEqual(["A"]);
    expect(cut.problems).toHaveLength(1);
  });

  it("keeps what is too long to be read as Markdown as plain text, and says so", () => {
    const page = parse(`# A\n\n${"- item\n".repeat(30_000)}\n# B\n\nlast words\n`);

    expect(page.problems).toEqual([
      "From line 20001 on, only headings and code are read, and the rest as plain text: the page is too long.",
    ]);
    expect(page.sections.map(({ heading }) => heading)).toEqual(["A", "B"]);
    expect(page.sections[1]?.text).toBe("last words");
  });

  it("gives each heading its section, however many a page has", () => {
    const section = (place: number) => {
      const text = `Text ${place}.\n\n\`\`\`sh\n# a comment\nrun ${place}\n\`\`\`\n`;
      return place % 2 === 0
        ? `## Option \`o${place}\` ##\n\n${text}`
        : `Option o${place}\n---\n\n${text}`;
    };
    const page = parse(
      `# All\n\n${Array.from({ length: 6_000 }, (_, at) => section(at)).join("\n")}`,
    );

    expect(page.problems).toHaveLength(1);
    expect(page.sections).toHaveLength(6_001);
    for (const place of [0, 1, 5_998, 5_999]) {
      const found = page.sections[place + 1];
      expect(found).toMatchObject({
        heading: `Option o${place}`,
        headingPath: ["All", `Option o${place}`],
        anchor: `option-o${place}`,
        text: `Text ${place}.`,
      });
      expect(found?.blocks.map(({ kind, text }) => [kind, text])).toEqual([
        ["paragraph", `Text ${place}.`],
        ["code", `# a comment\nrun ${place}`],
      ]);
      const lines = found?.markdown.split("\n") ?? [];
      expect(lines[0]).toContain(`o${place}`);
      expect(lines.at(-1)).toBe("```");
    }
  });

  it("keeps a paragraph as it is written where many brackets are open at once, whatever closes in code", () => {
    const nested = "[0, 1) `]` ".repeat(200);
    const { sections } = parse(`# A\n\n*a* [0, 1) \`]\`\n\n${nested}*b*\n`);

    expect(sections[0]?.text).toBe(`a [0, 1) ]\n${nested}*b*`);
  });

  it("keeps a paragraph that is too long or too nested as it is written", () => {
    const brackets = "[".repeat(19_000);
    const { sections } = parse(`# A\n\n${"word ".repeat(5_000)}end\n\n${brackets}\n`);

    expect(sections[0]?.text).toContain("word end");
    expect(sections[0]?.text).toContain(brackets);
  });

  it.each([
    ["anchors and aliases", `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]`],
    ["deep nesting", `a: ${"[".repeat(500)}${"]".repeat(500)}`],
    ["more than 10,000 characters", `a: ${"b".repeat(10_001)}`],
  ])("leaves out front matter with %s, and reads the page", (_, yaml) => {
    const { frontMatter, problems, sections } = parse(`---\n${yaml}\n---\n# Restart\n\nText.\n`);

    expect(frontMatter).toEqual({});
    expect(problems).toHaveLength(1);
    expect(sections.map(({ heading }) => heading)).toEqual(["Restart"]);
  });
});
