import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJsonReply, redactSecrets, sanitizeMarkdown } from "@constellation/core/authoring";
import { folderLimits, parseMarkdown } from "@constellation/retrieval";
import { parseDocuments } from "../../librarians/k8s/src/snapshot/documents.js";
import { maxDocumentLength } from "../../librarians/k8s/src/snapshot/yaml.js";
import type { DocumentReader } from "../../librarians/rag-advisory/src/ingest/document.js";
import { maxChunksOf, maxWrongParts } from "../../librarians/rag-advisory/src/ingest/ingest.js";
import { readIngestOptions } from "../../librarians/rag-advisory/src/ingest/options.js";
import { readCsv } from "../../librarians/rag-advisory/src/ingest/read-csv.js";
import { readJson, readJsonLines } from "../../librarians/rag-advisory/src/ingest/read-json.js";
import { readCatalogText } from "../../librarians/workflow-selector/src/catalog/read-catalog.js";
import { readMeshSource } from "../../packages/cli/src/mesh/mesh-source.js";
import { meshFileLimits } from "../../packages/cli/src/mesh/parse-yaml.js";
import { csvShapes, jsonShapes, markdownShapes, type Shapes, yamlShapes } from "./shapes.js";

/** Something that reads text of others. */
export interface Parser {
  readonly name: string;
  /** Length of the texts it is measured with, in characters. */
  readonly length: number;
  readonly shapes: Shapes;
  /** Reads the text, or refuses it; either is measured. */
  parse(text: string): unknown;
}

const mebibyte = 1_048_576;

export const parsers: readonly Parser[] = [
  {
    name: "k8s snapshot",
    length: maxDocumentLength,
    shapes: yamlShapes,
    parse: (text) => [...parseDocuments(text)],
  },
  {
    name: "workflow catalog",
    length: 4 * mebibyte,
    shapes: yamlShapes,
    parse: (text) => readCatalogText(text, "catalog.yaml"),
  },
  {
    name: "mesh file",
    length: meshFileLimits.bytes - 16,
    shapes: yamlShapes,
    parse: (text) =>
      withFile("mesh.yaml", text, (folder) =>
        readMeshSource(join(folder, "mesh.yaml"), { env: {}, cwd: folder }).catch(() => undefined),
      ),
  },
  {
    name: "Markdown page",
    length: folderLimits.maxFileBytes,
    shapes: markdownShapes,
    parse: (text) => parseMarkdown(text, { file: "a.md" }),
  },
  readBy("CSV", readCsv, csvShapes),
  readBy("JSON", readJson, jsonShapes),
  readBy("JSON lines", readJsonLines, jsonShapes),
  { name: "model's reply", length: mebibyte, shapes: jsonShapes, parse: readJsonReply },
  { name: "remote answer", length: mebibyte, shapes: markdownShapes, parse: sanitizeMarkdown },
  { name: "text with secrets", length: mebibyte, shapes: markdownShapes, parse: redactSecrets },
];

/** A reader of documents for a store, up to where `ingest` gives up. */
function readBy(name: string, read: DocumentReader, shapes: Shapes): Parser {
  return {
    name,
    length: mebibyte,
    shapes,
    parse: (text) =>
      withFile("a", text, async (root) => {
        const document = { name: "a", path: join(root, "a"), bytes: text.length };
        let left = maxChunksOf(document);
        let wrong = 0;
        for await (const part of read(document, readIngestOptions({ root, country: "IN" }))) {
          if ("problem" in part && ++wrong > maxWrongParts) break;
          if (left-- === 0) break;
        }
      }).catch(() => undefined),
  };
}

async function withFile(
  name: string,
  text: string,
  work: (folder: string) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parser-cost-"));
  try {
    await writeFile(join(folder, name), text);
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
