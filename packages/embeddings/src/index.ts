export {
  type ModelEmbedder,
  type ModelEmbedderOptions,
  openModelEmbedder,
} from "./model-embedder.js";
export type { RuntimeName } from "./runtime.js";
