import { describe } from "vitest";
import { itBehavesLikeAVectorStore } from "../../test/vector-store-suite.js";
import { createMemoryStore } from "./memory-store.js";

describe("createMemoryStore", () => {
  itBehavesLikeAVectorStore({ create: async (options) => createMemoryStore(options) });
});
