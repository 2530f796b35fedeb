import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EmbedderError } from "@constellation/retrieval";

/** A runtime of models. */
export type RuntimeName = "native" | "wasm";

/** Location of a runtime. */
export interface Runtime {
  /** URL of the module. */
  readonly runtime: string;
  /** Path of its WebAssembly; absent for the native one. */
  readonly wasm?: string;
}

/** Folder of the model and the WebAssembly runtime that `npm run model` puts beside the code. */
export function packagedModel(): string {
  return fileURLToPath(new URL("../model", import.meta.url));
}

/**
 * Finds a runtime: `onnxruntime-node` when the application has installed it, else the WebAssembly
 * one
 * in a model's folder or in the package.
 *
 * @param name - Required runtime. Default: either.
 * @throws {EmbedderError} When there is none; the message names the package to install.
 */
export async function findRuntime(name: RuntimeName | undefined, folder: string): Promise<Runtime> {
  if (name !== "wasm") {
    const native = nativeRuntime();
    if (native !== undefined) return native;
  }
  if (name !== "native") {
    for (const place of [folder, packagedModel()]) {
      const wasm = join(place, "ort-wasm-simd-threaded.wasm");
      const runtime = join(place, "ort.wasm.bundle.min.mjs");
      if ((await exists(wasm)) && (await exists(runtime))) {
        return { runtime: pathToFileURL(runtime).href, wasm };
      }
    }
  }
  const advice =
    name === "wasm"
      ? "In a clone run `npm run model -w packages/embeddings`."
      : "Run `npm install onnxruntime-node`.";
  throw new EmbedderError(`No runtime for the model was found. ${advice}`);
}

function nativeRuntime(): Runtime | undefined {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "package.json")).href]) {
    try {
      return { runtime: pathToFileURL(createRequire(from).resolve("onnxruntime-node")).href };
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
