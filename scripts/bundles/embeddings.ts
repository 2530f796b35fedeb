import { existsSync } from "node:fs";
import { openModelEmbedder } from "@constellation/embeddings";

// The model is not part of a bundle. Where it has been brought here, its folder is named as an application does it.
const folder = "packages/embeddings/model";
try {
  const options = existsSync(folder) ? { folder, runtime: "wasm" as const } : {};
  const embedder = await openModelEmbedder(options);
  const [vector] = await embedder.embed(["how do I restart billing?"]);
  console.log(embedder.id, vector?.slice(0, 8));
  await embedder.close();
} catch (thrown) {
  console.log(String(thrown));
}
