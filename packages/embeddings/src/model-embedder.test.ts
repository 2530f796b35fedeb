import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbedderError } from "@constellation/retrieval";
import { describe, expect, it, onTestFinished } from "vitest";
import { openModelEmbedder } from "./model-embedder.js";

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
});
