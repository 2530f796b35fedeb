import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Embedder } from "@constellation/retrieval";

/**
 * Embeds each text once, since meshes and modes have most of them in common.
 *
 * @param file - Where vectors are read from, and written to when it is closed. Default: nowhere.
 */
export function keepVectors<Opened extends Embedder & { close(): Promise<void> }>(
  opened: Opened,
  file?: string,
): Opened {
  const known = new Map<string, readonly number[]>(
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [],
  );
  return {
    ...opened,
    async close() {
      if (file !== undefined) writeFileSync(file, JSON.stringify([...known]));
      await opened.close();
    },
    async embed(texts, options) {
      const open = [...new Set(texts)].filter((text) => !known.has(text));
      const made = open.length === 0 ? [] : await opened.embed(open, options);
      for (const [at, text] of open.entries())
        known.set(
          text,
          Array.from(made[at] ?? [], (value) => Number(value.toFixed(5))),
        );
      return texts.map((text) => known.get(text) ?? []);
    },
  };
}
