// An application that ends while its embedders work: node ended-application.ts <folder> <how>
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { openModelEmbedder } from "../src/index.js";

const [folder = "", how = ""] = isMainThread ? process.argv.slice(2) : workerData;

async function startEmbedding() {
  const embedder = await openModelEmbedder({ folder, runtime: "wasm" });
  // It rejects where the embedder is closed.
  void embedder.embed(Array.from({ length: 5 }, () => "a")).catch(() => undefined);
  return embedder;
}

if (!isMainThread) {
  await startEmbedding();
  parentPort?.postMessage("embedding");
} else if (how === "thread") {
  const tsx = import.meta.resolve("tsx/esm/api");
  const code = `import("${tsx}").then(({ register }) => { register(); return import("${import.meta.url}"); });`;
  const worker = new Worker(code, { eval: true, workerData: [folder, how] });
  await once(worker, "message");
  await worker.terminate();
} else {
  const [first] = await Promise.all([startEmbedding(), startEmbedding()]);
  if (how === "exit") process.exit(0);
  if (how === "close") await first.close();
  if (how === "signal") {
    process.once("SIGTERM", () => process.exit(0));
    process.kill(process.pid, "SIGTERM");
  }
}
