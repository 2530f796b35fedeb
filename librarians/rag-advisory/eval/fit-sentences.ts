import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createLinearModel } from "@constellation/nlu";
import { fitLinearModel } from "@constellation/nlu/fit";
import { z } from "zod";
import { otherLanguage } from "../src/question/language.js";
import { findDropped, findForbidden } from "../src/rules/content-rules.js";
import { isForbidden, sentenceLabels, toSentenceFeatures } from "../src/rules/judge-sentence.js";

/**
 * Fits the classifier of sentences: `npm run fit-sentences`. `-- --folds` scores it on each kind of text with a model of
 * the others, `-- --sets FILE...` each file with a model of the rest and the other files; `-- --also FILE...` fits to more files of the same
 * form; `-- --score FILE` scores patterns and classifier, as they are, on a file with `text` and `label`.
 */
const sentenceSchema = z.object({
  text: z.string(),
  forbidden: z.boolean().optional(),
  label: z.string().optional(),
  lang: z.string().default("en"),
  kind: z.string().default("mixed"),
});
type Sentence = z.infer<typeof sentenceSchema> & { readonly forbidden: boolean };

function read(path: URL | string): readonly Sentence[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const one = sentenceSchema.parse(JSON.parse(line));
      return { ...one, forbidden: one.forbidden ?? one.label === sentenceLabels.forbidden };
    });
}

/** Sentences with a kind are fewer, and more alike what is read: each counts twice. */
function fit(sentences: readonly Sentence[]) {
  return fitLinearModel(
    sentences.map(({ text, forbidden, kind }) => ({
      features: toSentenceFeatures(text),
      label: forbidden ? sentenceLabels.forbidden : sentenceLabels.factual,
      weight: kind === "mixed" ? 1 : 2,
    })),
    { maxFeatures: 16_000, penalty: 0.0001, rounds: 100 },
  );
}

function report(name: string, all: readonly Sentence[], isFound: (text: string) => boolean) {
  const share = (forbidden: boolean) => {
    const some = all.filter((one) => one.forbidden === forbidden);
    return `${some.filter(({ text }) => isFound(text)).length} of ${some.length}`;
  };
  console.log(`${name}: ${share(true)} forbidden found, ${share(false)} factual refused`);
}

const isRefused = (text: string) => findDropped(text).length > 0;
const [mode, ...files] = process.argv.slice(2);
const [file] = files;
if (mode === "--score" && file !== undefined) {
  const all = read(resolve(file));
  for (const lang of new Set(all.map((one) => one.lang)))
    report(
      lang,
      all.filter((one) => one.lang === lang),
      isRefused,
    );
  report("all", all, isRefused);
} else {
  const dataOf = (name: string) => read(new URL(`sentences/${name}.jsonl`, import.meta.url));
  const also = mode === "--also" ? files.flatMap((path) => read(resolve(path))) : [];
  const all = [...dataOf("dev"), ...dataOf("kinds"), ...also];
  /** Scores some sentences with a model of others, and with the patterns, which read English. */
  const reportApart = (
    parts: Readonly<Record<string, readonly Sentence[]>>,
    others: readonly Sentence[],
  ) => {
    const model = createLinearModel(fit(others));
    const isFound = (text: string) =>
      (otherLanguage(text) === undefined && findForbidden(text).length > 0) ||
      isForbidden(model.predict(toSentenceFeatures(text)));
    for (const [name, some] of Object.entries(parts))
      report(`${name}, by a model of the others`, some, isFound);
  };
  if (mode === "--folds") {
    for (const kind of new Set(dataOf("kinds").map((one) => one.kind)))
      reportApart(
        { [kind]: all.filter((one) => one.kind === kind) },
        all.filter((one) => one.kind !== kind),
      );
  } else if (mode === "--sets") {
    for (const path of files) {
      const some = read(resolve(path));
      const own = new Set(some.map(({ text }) => text));
      const rest = files.filter((other) => other !== path).flatMap((other) => read(resolve(other)));
      const others = [...all, ...rest].filter(({ text }) => !own.has(text));
      const [english, foreign] = [true, false].map((is) =>
        some.filter(({ lang }) => (lang === "en") === is),
      );
      reportApart(
        { [`${path}, English`]: english ?? [], [`${path}, other languages`]: foreign ?? [] },
        others,
      );
    }
  } else {
    mkdirSync(new URL("../data/", import.meta.url), { recursive: true });
    const path = new URL("../data/sentences.json", import.meta.url);
    const lines = Object.entries(fit(all)).map(([key, value]) => {
      const items = Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : undefined;
      return `  "${key}": ${items === undefined ? JSON.stringify(value) : `[${items.join(", ")}]`}`;
    });
    writeFileSync(path, `{\n${lines.join(",\n")}\n}\n`);
  }
}
