import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createLinearModel } from "@constellation/nlu";
import { fitLinearModel } from "@constellation/nlu/fit";
import { z } from "zod";
import { findDropped, findForbidden } from "../src/rules/content-rules.js";
import { sentenceLabels, toSentenceFeatures } from "../src/rules/judge-sentence.js";

/**
 * Fits the classifier of sentences: `npm run fit-sentences`. `-- --folds` scores it on each kind of text with a model of
 * the others; `-- --also FILE...` fits to more files of the same form; `-- --score FILE` scores patterns and classifier, as they are, on a file with `text` and `label`.
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
  if (mode === "--folds") {
    for (const kind of new Set(dataOf("kinds").map((one) => one.kind))) {
      const model = createLinearModel(fit(all.filter((one) => one.kind !== kind)));
      const isFound = (text: string) =>
        findForbidden(text).length > 0 ||
        model.predict(toSentenceFeatures(text))[0]?.label === sentenceLabels.forbidden;
      report(
        `${kind}, by a model of the others`,
        all.filter((one) => one.kind === kind),
        isFound,
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
