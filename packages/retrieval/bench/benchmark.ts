import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** One query of the benchmark. */
export interface BenchmarkQuery {
  readonly id: string;
  /** Name of its knowledge base. */
  readonly kb: string;
  readonly type: "answerable" | "out-of-domain" | "unanswerable";
  readonly band?: string;
  readonly query: string;
  readonly relevant: readonly {
    readonly file: string;
    readonly section: string;
    readonly slug: string;
    readonly scope: string;
    readonly near: readonly string[];
  }[];
  readonly exclude?: readonly { readonly file: string; readonly section?: string }[];
  readonly provenance: { readonly kind: string; readonly how?: string };
  readonly titleOverlap?: number;
}

/** A knowledge base and what is asked of it. */
export interface Benchmark {
  readonly corpus: string;
  readonly knowledgeBases: readonly string[];
  readonly queries: readonly BenchmarkQuery[];
}

/** Beside the repository, unless configured otherwise. */
export const defaultData = fileURLToPath(
  new URL("../../../../shared/data/docs-retrieval/", import.meta.url),
);

/** The benchmark in a folder, or undefined when it is not there. */
export function readBenchmark(folder: string, split: string): Benchmark | undefined {
  const corpus = join(folder, "corpus");
  const file = join(folder, `queries.${split}.jsonl`);
  if (!existsSync(corpus) || !existsSync(file)) return undefined;
  const queries = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line): BenchmarkQuery => JSON.parse(line));
  return { corpus, knowledgeBases: readdirSync(corpus).sort(), queries };
}

/** The Markdown files of a knowledge base, sorted, with their text. */
export function readPages(
  folder: string,
): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.(?:md|mdx|markdown)$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
}
