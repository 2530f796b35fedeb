import { join } from "node:path";
import { folderLimits, parseMarkdown } from "@constellation/retrieval";
import {
  DocumentError,
  type DocumentReader,
} from "../../librarians/rag-advisory/src/ingest/document.js";
import { limitChunks, maxWrongParts } from "../../librarians/rag-advisory/src/ingest/ingest.js";
import { readIngestOptions } from "../../librarians/rag-advisory/src/ingest/options.js";
import { readCsv } from "../../librarians/rag-advisory/src/ingest/read-csv.js";
import { readJson, readJsonLines } from "../../librarians/rag-advisory/src/ingest/read-json.js";
import { readCatalogText } from "../../librarians/workflow-selector/src/catalog/read-catalog.js";
import { ConfigurationError } from "../../packages/cli/src/configuration-error.js";
import { readMeshSource } from "../../packages/cli/src/mesh/mesh-source.js";
import { meshFileLimits } from "../../packages/cli/src/mesh/parse-yaml.js";
import { mebibyte, type Parser } from "./parser.js";
import { csvShapes, jsonShapes, markdownShapes, type Shapes, yamlShapes } from "./shapes.js";
import { withFile } from "./with-file.js";

/** Text for people and for stores: catalogs, mesh files, pages, tables. */
export const documentParsers: readonly Parser[] = [
  {
    name: "workflow catalog",
    length: 4 * mebibyte,
    shapes: yamlShapes,
    parse: (text) => readCatalogText(text, "catalog.yaml"),
  },
  {
    name: "mesh file",
    refuses: [ConfigurationError],
    length: meshFileLimits.bytes - 16,
    shapes: yamlShapes,
    parse: (text) =>
      withFile("mesh.yaml", text, (folder) =>
        readMeshSource(join(folder, "mesh.yaml"), { env: {}, cwd: folder }),
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
];

/** A reader of documents for a store, up to where `ingest` gives up. */
function readBy(name: string, read: DocumentReader, shapes: Shapes): Parser {
  return {
    name,
    refuses: [DocumentError],
    length: mebibyte,
    shapes,
    maxGrowth: 1_000, // a row of two characters is a chunk with its fields, places and digest
    parse: (text) =>
      withFile("a", text, async (root) => {
        const parts: unknown[] = [];
        const document = { name: "a", path: join(root, "a"), bytes: text.length };
        let left = limitChunks(document);
        let wrong = 0;
        for await (const part of read(document, readIngestOptions({ root, country: "IN" }))) {
          if ("problem" in part && ++wrong > maxWrongParts) break;
          if (left-- === 0) break;
          parts.push(part);
        }
        return parts;
      }),
  };
}
