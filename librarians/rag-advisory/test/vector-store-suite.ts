import { itKeepsChunks } from "./store-content-suite.js";
import { itFindsChunks } from "./store-search-suite.js";
import type { VectorStoreSuiteOptions } from "./store-under-test.js";
import { itRanksByVectors } from "./store-vector-suite.js";

/** Registers the tests that every store must pass. */
export function itBehavesLikeAVectorStore(options: VectorStoreSuiteOptions): void {
  itFindsChunks(options);
  itKeepsChunks(options);
  itRanksByVectors(options);
}
