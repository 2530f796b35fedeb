import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openModelEmbedder } from "./model-embedder.js";

const isBundled = existsSync(fileURLToPath(new URL("../model/model.onnx", import.meta.url)));
const isRequired = process.env.REQUIRE_WEIGHTS === "1";
if (!isBundled) {
  console.warn(
    "model-embedder.slow.test.ts: 1 test skipped; `npm run model -w packages/embeddings` brings the model",
  );
}

describe("openModelEmbedder", () => {
  it.runIf(isBundled || isRequired)("puts what means the same close together", async () => {
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
  });
});
