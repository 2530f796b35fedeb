// Runs a sentence model in a process of its own: one text at a time, so that a query is never behind
// a whole batch. The first message tells the runtime to import, its WebAssembly file, the model, threads.
import { readFile } from "node:fs/promises";

// A stop of the whole process group is for the application, which may finish what it has begun.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
// Without destructors of native code, which may not run at any moment.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

/** @returns {Promise<any>} The session, and what makes tensors. */
async function openSession({ runtime, wasm, model, threads }) {
  const imported = await import(runtime);
  const ort = imported.InferenceSession === undefined ? imported.default : imported;
  if (wasm !== undefined) {
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmBinary = await readFile(wasm);
  }
  const session = await ort.InferenceSession.create(await readFile(model), {
    intraOpNumThreads: threads,
    // On WebAssembly further optimisations take longer to make than they save.
    graphOptimizationLevel: wasm === undefined ? "all" : "basic",
  });
  return { ort, session };
}

/** The mean of the vectors of all tokens, as a unit vector. */
function pooled(values, tokens) {
  const dimensions = values.length / tokens;
  const mean = new Float32Array(dimensions);
  for (let at = 0; at < values.length; at++) mean[at % dimensions] += values[at];
  let square = 0;
  for (const value of mean) square += value * value;
  const length = Math.sqrt(square) || 1;
  return mean.map((value) => value / length);
}

async function vectorOf({ ort, session }, ids) {
  const tensor = (fill) => new ort.Tensor("int64", BigInt64Array.from(ids, fill), [1, ids.length]);
  const inputs = { input_ids: tensor(BigInt), attention_mask: tensor(() => 1n) };
  if (session.inputNames.includes("token_type_ids")) inputs.token_type_ids = tensor(() => 0n);
  const output = (await session.run(inputs))[session.outputNames[0]];
  // A model that pools by itself gives one vector.
  return pooled(output.data, output.dims.length === 3 ? ids.length : 1);
}

/** Where the application has ended nobody reads it. */
function reply(message) {
  if (process.connected) process.send(message, () => {});
}

async function open(options) {
  try {
    const opened = await openSession(options);
    const { length: dimensions } = await vectorOf(opened, [101, 102]);
    process.on("message", ({ ids }) => void answer(opened, ids)); // it never rejects
    reply({ dimensions });
  } catch (thrown) {
    reply({ problem: String(thrown).slice(0, 200) });
  }
}

async function answer(opened, ids) {
  try {
    reply({ vector: await vectorOf(opened, ids) });
  } catch (thrown) {
    reply({ problem: String(thrown).slice(0, 200) });
  }
}

process.once("message", ({ open: options }) => void open(options)); // it never rejects
