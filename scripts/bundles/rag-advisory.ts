import { createRouter } from "@constellation/core";
import {
  createMemoryStore,
  createRagAdvisoryLibrarian,
  ingest,
} from "@constellation/librarian-rag-advisory";

const store = createMemoryStore();
await ingest(store, ["librarians/rag-advisory/sample-data"]);
const router = createRouter();
router.register(createRagAdvisoryLibrarian({ store, now: () => Date.parse("2026-11-01") }));
const { answer, confidence } = await router.ask("Is 48 lakhs fair for a 2BHK in Vizag?");
console.log(answer, confidence);
