import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmbedderError } from "@constellation/retrieval";
import { describe, expect, it, onTestFinished } from "vitest";
import { openModelEmbedder } from "./model-embedder.js";

const isBundled = existsSync(fileURLToPath(new URL("../model/model.onnx", import.meta.url)));
const isRequired = process.env.REQUIRE_WEIGHTS === "1";
if (!isBundled) {
  console.warn(
    "model-embedder.test.ts: 1 test skipped; `npm run model -w packages/embeddings` brings the model",
  );
}

describe("openModelEmbedder", () => {
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

  it.runIf(isBundled || isRequired)(
    "puts what means the same close together",
    async () => {
      const { embed, dimensions, close } = await openModelEmbedder();
      onTestFinished(() => close());

      const [reboot, restart, cake] = await embed([
        "How can I restart a server?",
        "reboot the machine",
        "chocolate cake recipe",
      ]);

      const cosine = (a: ArrayLike<number> = [], b: ArrayLike<number> = []) =>
        Array.from(a).reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);
      expect(dimensions).toBe(384);
      expect(cosine(reboot, restart)).toBeGreaterThan(0.5);
      expect(cosine(reboot, cake)).toBeLessThan(0.3);
    },
    120_000,
  );
});
