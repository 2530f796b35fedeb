import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createAnalyzer, StoreError } from "@constellation/retrieval";
import type { Chunk, FoundChunk, VectorStore } from "../src/store/vector-store.js";

/** The part of `node:sqlite` and of better-sqlite3 that both have. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...values: unknown[]): unknown[];
    get(...values: unknown[]): unknown;
    run(...values: unknown[]): { changes: number | bigint };
  };
  close(): void;
}

function openDatabase(file: string): Database {
  const require = createRequire(import.meta.url);
  try {
    return new (require("node:sqlite").DatabaseSync)(file) as Database;
  } catch {
    return new (require("better-sqlite3"))(file) as Database;
  }
}

const candidates = 2_000;

/**
 * A store over SQLite with FTS5, as plain as it can be and fair: it is compared with the others, and
 * not shipped. The rarest words are looked for first, as in the Postgres store.
 */
export async function openSqliteStore(folder: string): Promise<VectorStore> {
  await mkdir(folder, { recursive: true });
  const database = openDatabase(join(folder, "chunks.sqlite"));
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS chunk (
      number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, document TEXT NOT NULL, country TEXT NOT NULL,
      city TEXT, date TEXT, is_row INTEGER NOT NULL, text TEXT NOT NULL, metadata TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS by_document ON chunk (document);
    CREATE INDEX IF NOT EXISTS by_row ON chunk (country, city, date DESC, id) WHERE is_row;
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
      about, text, content='', contentless_delete=1, tokenize='porter unicode61');
    CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5vocab(words, row);
  `);
  const insert = database.prepare(
    "INSERT OR IGNORE INTO chunk (id, document, country, city, date, is_row, text, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const index = database.prepare(
    "INSERT INTO words (rowid, about, text) VALUES (last_insert_rowid(), ?, ?)",
  );
  const count = database.prepare("SELECT doc FROM terms WHERE term = ?");
  const find = database.prepare(`
    SELECT id, chunk.text AS text, metadata FROM words JOIN chunk ON chunk.number = words.rowid
    WHERE words MATCH ? AND country = ? AND (? IS NULL OR city IS NULL OR city = ?)
    ORDER BY bm25(words, 1.5, 1) LIMIT ?`);
  const analyzer = createAnalyzer();
  let isClosed = false;
  const check = () => {
    if (isClosed) throw new StoreError("closed", "closed");
  };
  return {
    async search({ text, country, city, limit }) {
      check();
      const asked = [...new Set(analyzer.terms(text).map((term) => term.text))].map((word) => ({
        word,
        having: Number((count.get(word) as { doc: number } | undefined)?.doc ?? 0),
      }));
      asked.sort((a, b) => a.having - b.having);
      let expected = 0;
      const chosen = asked.filter(({ having }, at) => {
        const isTaken = at === 0 || expected + having <= candidates;
        expected += having;
        return isTaken;
      });
      const match = chosen.map(({ word }) => `"${word}"`).join(" OR ");
      if (match === "") return [];
      const place = city?.toLowerCase() ?? null;
      const rows = find.all(match, country, place, place, Math.max(limit, 50)) as {
        id: string;
        text: string;
        metadata: string;
      }[];
      const found = rows.map(({ id, text: own, metadata }): FoundChunk => {
        const terms = new Set(analyzer.terms(own).map((term) => term.text));
        const score = asked.filter(({ word }) => terms.has(word)).length / asked.length;
        return { chunk: { id, text: own, metadata: JSON.parse(metadata) }, score };
      });
      return found.sort((a, b) => b.score - a.score).slice(0, limit);
    },
    async rows({ country, city, limit }) {
      check();
      const sql =
        city === undefined
          ? "SELECT id, text, metadata FROM chunk WHERE is_row AND country = ? ORDER BY date DESC, id LIMIT ?"
          : "SELECT id, text, metadata FROM chunk WHERE is_row AND country = ? AND city = ? ORDER BY date DESC, id LIMIT ?";
      const values = city === undefined ? [country, limit] : [country, city.toLowerCase(), limit];
      const rows = database.prepare(sql).all(...values) as {
        id: string;
        text: string;
        metadata: string;
      }[];
      return rows.map(({ id, text, metadata }) => ({ id, text, metadata: JSON.parse(metadata) }));
    },
    async add(chunks: readonly Chunk[]) {
      check();
      let added = 0;
      database.exec("BEGIN IMMEDIATE");
      try {
        for (const { id, text, metadata } of chunks) {
          const { document, country, city, date, row, title, source } = metadata;
          const { changes } = insert.run(
            id,
            document,
            country,
            city?.toLowerCase() ?? null,
            date ?? null,
            row === undefined ? 0 : 1,
            text,
            JSON.stringify(metadata),
          );
          if (Number(changes) === 0) continue;
          index.run([title, city, source].filter((each) => each !== undefined).join("\n"), text);
          added++;
        }
        database.exec("COMMIT");
      } catch (thrown) {
        database.exec("ROLLBACK");
        throw thrown;
      }
      return { added, unchanged: chunks.length - added };
    },
    async removeDocument(document, { keep } = {}) {
      check();
      const rows = database
        .prepare("SELECT number, id FROM chunk WHERE document = ?")
        .all(document);
      const gone = (rows as { number: number; id: string }[]).filter(({ id }) => !keep?.has(id));
      for (const { number } of gone) {
        database.prepare("DELETE FROM words WHERE rowid = ?").run(number);
        database.prepare("DELETE FROM chunk WHERE number = ?").run(number);
      }
      return gone.length;
    },
    async health() {
      check();
      const { chunks } = database.prepare("SELECT count(*) AS chunks FROM chunk").get() as {
        chunks: number;
      };
      return { chunks, vectors: 0 };
    },
    async close() {
      isClosed = true;
      database.close();
    },
  };
}
