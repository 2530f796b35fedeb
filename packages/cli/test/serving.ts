import { main } from "../src/command-line.js";
import { folderWith, shopMesh } from "./folder.js";
import { collectingIO } from "./run.js";

/** Serves the shop while `use` runs, then stops it as Ctrl-C does. */
export async function serving(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  use: (url: string) => Promise<void>,
  files: Readonly<Record<string, string>> = shopMesh,
) {
  const controller = new AbortController();
  const { io, stdout, stderr } = collectingIO({
    cwd: folderWith(files),
    env,
    signal: controller.signal,
  });
  let ready: (url: string) => void = () => {};
  const listening = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const write = (text: string) => {
    const url = /Listening on (\S+)/.exec(text)?.[1];
    if (url !== undefined) ready(url);
    return stdout.push(text);
  };
  const ended = main(["serve", "--port", "0", ...argv], { ...io, stdout: { write } });
  const early = ended.then(() => {
    throw new Error(stderr.join(""));
  });
  await use(await Promise.race([listening, early]));
  controller.abort();
  return { exitCode: await ended, stdout: stdout.join(""), stderr: stderr.join("") };
}

/** Posts JSON, as clients of HTTP and MCP do. */
export const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
