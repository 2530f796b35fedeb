import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbedderError } from "@constellation/retrieval";
import { describe, expect, it, onTestFinished } from "vitest";
import { openModelEmbedder } from "./model-embedder.js";

/** A runtime of the model; `fails` for all texts but the one it is opened with. */
const runtime = (fails: boolean) => `
export const env = { wasm: {} };
export class Tensor { constructor(_type, data) { this.data = data; } }
const run = async ({ input_ids: { data } }) => {
  if (${fails} && !data.includes(101n)) throw new Error("no model");
  return { vector: { data: Float32Array.of(3, 4), dims: [1, 2] } };
};
const session = { inputNames: ["input_ids", "attention_mask"], outputNames: ["vector"], run };
export const InferenceSession = { create: async () => session };
`;

describe("openModelEmbedder", () => {
  it("keeps in `cache` the vectors that are wanted at each start, and no others", async () => {
    const folder = await mkdtemp(join(tmpdir(), "model-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const file of ["model.onnx", "ort-wasm-simd-threaded.wasm"])
      await writeFile(join(folder, file), "");
    await writeFile(join(folder, "vocab.txt"), "[UNK]\n[CLS]\n[SEP]\na\nb\n");
    const open = async (fails: boolean) => {
      await writeFile(join(folder, "ort.wasm.bundle.min.mjs"), runtime(fails));
      const embedder = await openModelEmbedder({
        folder,
        runtime: "wasm",
        cache: join(folder, "cache"),
      });
      onTestFinished(() => embedder.close());
      return embedder;
    };
    const made = await (await open(false)).embed(["a", "b", "a"], { isKept: true });
    await (await open(false)).embed(["a b"]);

    const later = await open(true);

    expect(await later.embed(["a", "b", "a"], { isKept: true })).toEqual(made);
    await expect(later.embed(["a"])).rejects.toThrow("no model");
    await expect(later.embed(["a b"], { isKept: true })).rejects.toThrow("no model");
  });

  it("says what is missing and what to do", async () => {
    const folder = await mkdtemp(join(tmpdir(), "model-"));
    onTestFinished(() => rm(folder, { recursive: true }));

    await expect(openModelEmbedder({ folder })).rejects.toThrow(EmbedderError);
    await expect(openModelEmbedder({ folder })).rejects.toThrow(
      `folder: expected model.onnx and vocab.txt in "${folder}".`,
    );
    await expect(openModelEmbedder({ maxTokens: 1 })).rejects.toThrow(
      "maxTokens: expected an integer from 8 to 512, got 1",
    );
  });
});
