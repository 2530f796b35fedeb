import { describe, expect, it } from "vitest";
import { copies } from "../test/languages.js";
import { pagesOf } from "../test/pages-of.js";
import { createDocsLibrarian } from "./docs-librarian.js";
import { navigatorResponseSchema } from "./navigator/index.js";

describe.each(Object.entries(copies))("pages in %s", (_language, { page, questions }) => {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf({ "orders.md": page }),
    description: "The order service.",
  });

  it.each(questions)("have the section %s for: %s", async (heading, question) => {
    const { error, metadata } = await librarian(question);
    const [source] = navigatorResponseSchema.parse(metadata?.navigator).sources;

    expect(error).toBeUndefined();
    expect(source?.section).toContain(heading);
  });
});

describe("a mixed knowledge base", () => {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf(
      Object.fromEntries(
        Object.entries(copies).map(([language, { page }]) => [`${language}.md`, page]),
      ),
    ),
    description: "The order service.",
  });

  it.each(Object.entries(copies))(
    "answers a question in %s from its own pages",
    async (language, { questions }) => {
      for (const [, question] of questions) {
        const { metadata } = await librarian(question);
        const [source] = navigatorResponseSchema.parse(metadata?.navigator).sources;
        expect(source?.file, question).toBe(`${language}.md`);
      }
    },
  );
});

it.each([
  ["Wer gewinnt nächstes Jahr die Fußballweltmeisterschaft?", "außerhalb meines Gebiets"],
  ["¿Cuál es la capital del Perú y cuántos habitantes tiene?", "fuera de mi ámbito"],
  ["Quelle est la recette de la tarte aux pommes ?", "hors de mon domaine"],
  ["怎么做红烧肉？", "不在我的领域内"],
  ["京都のおすすめの寺はどこですか？", "専門分野の外"],
])("refuses in the language of the question: %s", async (question, words) => {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf({ "orders.md": copies.en?.page ?? "" }),
    description: "The order service.",
  });
  const { error, metadata } = await librarian(question);

  expect(error?.code).toBe("NOT_FOUND");
  expect(navigatorResponseSchema.parse(metadata?.navigator).answer).toContain(words);
});
