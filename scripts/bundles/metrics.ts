import { createRouter } from "@constellation/core";
import { createMetricsLibrarian } from "@constellation/librarian-metrics";

const router = createRouter();
const recording = "librarians/metrics/sample-data/shop.json";
router.register(createMetricsLibrarian({ recording }));
console.log(await router.ask("Is checkout slow?"));
