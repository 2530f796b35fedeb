// npm run word-vectors -w packages/embeddings
// Makes the vectors of words of @constellation/nlu from the model: `data/words.txt`, the commonest whole words of its
// vocabulary, which is in the order of their frequency in Wikipedia and books, and `data/word-vectors.txt`, for each of them
// the signs of its vector, less the mean of all. The model comes by `npm run model`.
import { readFileSync, writeFileSync } from "node:fs";
import { openModelEmbedder } from "../src/index.js";

const count = 11_000;
const data = new URL("../../nlu/data/", import.meta.url);

const vocabulary = readFileSync(new URL("../model/vocab.txt", import.meta.url), "utf8").split("\n");
const words = vocabulary.filter((word) => /^[a-z]{2,}$/.test(word)).slice(0, count);
const embedder = await openModelEmbedder();
const { dimensions } = embedder;
const vectors: ArrayLike<number>[] = [];
for (const word of words) vectors.push(...(await embedder.embed([word])));
await embedder.close();

const bits = new Uint8Array((count * dimensions) / 8);
for (let at = 0; at < dimensions; at++) {
  const mean = vectors.reduce((sum, vector) => sum + (vector[at] ?? 0), 0) / count;
  for (const [place, vector] of vectors.entries()) {
    const byte = (place * dimensions + at) >> 3;
    if ((vector[at] ?? 0) > mean) bits[byte] = (bits[byte] ?? 0) | (1 << (at & 7));
  }
}
writeFileSync(new URL("words.txt", data), wrapped(words.join(" "), /.{1,119}(?: |$)/g));
writeFileSync(
  new URL("word-vectors.txt", data),
  wrapped(Buffer.from(bits).toString("base64"), /.{1,120}/g),
);

function wrapped(text: string, line: RegExp): string {
  return `${(text.match(line) ?? []).map((each) => each.trim()).join("\n")}\n`;
}
