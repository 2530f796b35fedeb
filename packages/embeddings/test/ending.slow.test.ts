import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmbedderError } from "@constellation/retrieval";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openModelEmbedder } from "../src/index.js";

/** A runtime that blocks as native code does; for the token 4 it ends the process it is in. */
const runtime = `
export const env = { wasm: {} };
export class Tensor { constructor(_type, data) { this.data = data; } }
const run = async ({ input_ids: { data } }) => {
  if (data.includes(4n)) process.kill(process.pid, "SIGABRT");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  return { vector: { data: new Float32Array(data.length * 4).fill(1), dims: [1, data.length, 4] } };
};
const session = { inputNames: ["input_ids", "attention_mask"], outputNames: ["vector"], run };
export const InferenceSession = { create: async () => session };
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-"));
  await writeFile(join(folder, "model.onnx"), "");
  await writeFile(join(folder, "vocab.txt"), "[UNK]\n[CLS]\n[SEP]\na\nabort\n");
  await writeFile(join(folder, "ort.wasm.bundle.min.mjs"), runtime);
  await writeFile(join(folder, "ort-wasm-simd-threaded.wasm"), "");
});
afterAll(() => rm(folder, { recursive: true }));

describe("an application that embeds", () => {
  it.each(["exit", "signal", "close", "thread", "end"])(
    "ends by itself, with code 0: %s",
    async (how) => {
      const script = fileURLToPath(new URL("./ended-application.ts", import.meta.url));
      const flags = ["--conditions=@constellation/source", "--import", "tsx"];
      const application = spawn(process.execPath, [...flags, script, folder, how], {
        stdio: ["ignore", "ignore", "inherit"],
      });

      expect(await once(application, "exit")).toEqual([0, null]);
    },
  );

  it("continues where the runtime ends its process, and receives the reason", async () => {
    const embedder = await openModelEmbedder({ folder, runtime: "wasm" });
    onTestFinished(() => embedder.close());

    await expect(embedder.embed(["a", "abort"])).rejects.toThrow(
      new EmbedderError("The model could not be run: its process ended by SIGABRT."),
    );
    await expect(embedder.embed(["a"])).rejects.toThrow(EmbedderError);
  });

  it("rejects what is embedded when it is closed, and can close twice", async () => {
    const { embed, close, dimensions } = await openModelEmbedder({ folder, runtime: "wasm" });
    const embedding = embed(["a", "a"]);

    await Promise.all([expect(embedding).rejects.toThrow("its process has ended"), close()]);
    await close();

    expect(dimensions).toBe(4);
  });
});
