import { describe, expect, it } from "vitest";
import { sectionsOf } from "./sections.js";

function outline(text: string) {
  return sectionsOf("a/page.md", text).map(({ heading, line, endLine }) => [
    heading,
    line,
    endLine,
  ]);
}

describe("sectionsOf", () => {
  it("gives a section per heading, with its lines", () => {
    expect(outline("# One\n\nfirst\n\n## Two\n\nsecond\n")).toEqual([
      ["One", 1, 3],
      ["Two", 5, 7],
    ]);
  });

  it("keeps the headings above a section, also those with nothing under them", () => {
    const [section] = sectionsOf("p.md", "# Page\n\n## Group\n\n### Deep\n\ntext\n");

    expect(section).toMatchObject({ title: "Page", heading: "Deep", above: ["Page", "Group"] });
  });

  it("gives what stands before the first heading a section without one", () => {
    expect(outline("\nIntro.\n\n# One\n\ntext\n")).toEqual([
      [undefined, 2, 2],
      ["One", 4, 6],
    ]);
  });

  it.each(["```", "~~~~"])("takes no heading from code fenced with %s", (fence) => {
    const text = `# One\n\n${fence}sh\n# a comment\n\`\`\`inner\n${fence}\n`;

    expect(outline(text)).toEqual([["One", 1, 6]]);
  });

  it("takes no heading from indented code, a comment, or a list", () => {
    const text = "# One\n\n    # code\n\n<!--\n# comment\n-->\n\n- item\n\n  # inside\n";

    expect(outline(text)).toEqual([["One", 1, 11]]);
    expect(sectionsOf("p.md", text)[0]?.blocks.map(({ kind }) => kind)).toEqual(["code", "list"]);
  });

  it("takes the text of a heading without its markup", () => {
    expect(outline("## The `--force` *flag* [here](x.md) ##\n\nx\n")).toEqual([
      ["The --force flag here", 1, 3],
    ]);
  });

  it("knows headings that are underlined", () => {
    expect(outline("One\n===\n\nx\n\nTwo\n---\n\ny\n")).toEqual([
      ["One", 1, 4],
      ["Two", 6, 9],
    ]);
  });

  it("leaves front matter out and keeps line numbers true", () => {
    const text = "---\ntitle: 'Short title'\n# not a heading\n---\n\nIntro.\n";

    expect(outline(text)).toEqual([[undefined, 6, 6]]);
    expect(sectionsOf("p.md", text)[0]).toMatchObject({ title: "Short title" });
  });

  it("does not take a page that begins with a rule for front matter", () => {
    expect(outline("---\n\nFirst part.\n\n---\n\n# One\n\nx\n")).toEqual([
      [undefined, 3, 5],
      ["One", 7, 9],
    ]);
  });

  it("reads pages with a byte order mark and Windows line ends as any other", () => {
    const unix = "---\nowner: me\n---\n# One\n\nfirst\nline\n\n## Two\n\nsecond\n";

    expect(sectionsOf("p.md", `\uFEFF${unix.replaceAll("\n", "\r\n")}`)).toEqual(
      sectionsOf("p.md", unix),
    );
  });

  it("names a page without any heading after its file", () => {
    expect(sectionsOf("deploy/roll-out.md", "text")).toMatchObject([{ title: "roll-out" }]);
  });

  it("keeps lists, tables and code whole", () => {
    const [section] = sectionsOf(
      "p.md",
      "# P\n\n1. a\n2. b\n\n| x |\n| - |\n| y |\n\n```\nz\n```\n",
    );

    expect(section?.blocks).toEqual([
      { kind: "list", text: "1. a\n2. b" },
      { kind: "table", text: "| x |\n| - |\n| y |" },
      { kind: "code", text: "```\nz\n```" },
    ]);
  });

  it.each(["", "\n\n", "# Only a heading\n", "---\na: b\n---\n"])(
    "gives no section for %j",
    (text) => {
      expect(sectionsOf("p.md", text)).toEqual([]);
    },
  );
});
