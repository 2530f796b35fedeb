/**
 * `npm run record -w librarians/metrics`: starts a real Prometheus with the shop's series, asks it the
 * questions, and writes what it answered to `sample-data/shop.json`. Needs `prometheus` and `promtool`.
 *
 * Another file can be named: `npm run record -w librarians/metrics -- FILE`.
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createMetricsLibrarian, createPrometheusReader, createRecorder } from "../src/index.js";
import { startPrometheus } from "./prometheus-server.js";
import { recordedQuestions } from "./questions.js";
import { shopMetrics, shopNow } from "./shop-metrics.js";

const [named] = process.argv.slice(2);
const file =
  named === undefined ? join(import.meta.dirname, "../sample-data/shop.json") : resolve(named);
const server = await startPrometheus(shopMetrics());
try {
  const recorder = createRecorder(createPrometheusReader({ url: server.url }), shopNow);
  const { librarian } = createMetricsLibrarian({ reader: recorder.reader });
  for (const question of recordedQuestions) await librarian(question, {});
  const recording = recorder.recording();
  // Ports and moments of this run have no place in a file that is kept.
  const text = JSON.stringify({ ...recording, name: "http://prometheus:9090" })
    .replaceAll(/127\.0\.0\.1:\d+/g, "10.42.3.9:9090")
    .replaceAll(/"activeAt":\d+/g, `"activeAt":${shopNow - 90 * 60_000}`);
  await writeFile(file, `${text}\n`);
  console.log(`${Object.keys(recording.reads).length} reads in ${file}`);
} finally {
  await server.close();
}
