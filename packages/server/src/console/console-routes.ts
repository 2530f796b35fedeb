import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { consoleHeaders } from "../http/security-headers.js";

/** Entry of the page; its files are in `console`, beside `src` and `dist`. */
const entry = new URL("../../console/main.js", import.meta.url);

/** Scripts, styles and the icon. */
const assets = readdirSync(new URL(".", entry)).filter((file) =>
  [".js", ".css", ".svg"].includes(extname(file)),
);

/** Files of the page, by path. */
const files: readonly (readonly [address: string, file: URL])[] = [
  ["/", new URL("index.html", entry)],
  ...assets.map((file) => [`/console/${file}`, new URL(file, entry)] as const),
  ["/console/markdown-it.js", markdownParser()],
];

/** The browser build of the parser, for `import`. */
function markdownParser(): URL {
  const manifest = createRequire(import.meta.url).resolve("markdown-it/package.json");
  return new URL("dist/browser/markdown-it.esm.min.mjs", pathToFileURL(manifest));
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** A file of the page, as it is sent. */
interface PageFile {
  readonly address: string;
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
}

async function readPageFile(address: string, file: URL): Promise<PageFile> {
  const plain = await readFile(file);
  return {
    address,
    type: types[extname(file.pathname).slice(1)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    plain,
    packed: gzipSync(plain, { level: 9 }),
  };
}

/** Read and packed once in a process: the files are a part of the package. */
let pageFiles: Promise<readonly PageFile[]> | undefined;

/** Adds the console page. */
export async function addConsoleRoutes(app: FastifyInstance): Promise<void> {
  pageFiles ??= Promise.all(files.map(([address, file]) => readPageFile(address, file)));
  for (const { address, type, etag, plain, packed } of await pageFiles) {
    app.get(
      address,
      { exposeHeadRoute: true, config: { endpoint: "console", isUncounted: true } },
      (request: FastifyRequest, reply: FastifyReply) => {
        reply.headers({ ...consoleHeaders, etag, vary: "accept-encoding" }).type(type);
        if (request.headers["if-none-match"] === etag) return reply.code(304).send();
        const isPacked = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
        if (isPacked) reply.header("content-encoding", "gzip");
        return reply.send(isPacked ? packed : plain);
      },
    );
  }
}
