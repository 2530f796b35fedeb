import { createHash } from "node:crypto";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { consoleHeaders } from "../http/security-headers.js";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
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

function pageFile(name: string, text: string): PageFile {
  const plain = Buffer.from(text);
  const extension = extname(name).slice(1);
  return {
    address: name === "index.html" ? "/" : `/console/${name}`,
    type: types[extension] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    plain,
    packed: gzipSync(plain, { level: 9 }),
  };
}

/** By base path, packed once in a process: the files are a part of the package. */
const packedFiles = new Map<string, readonly PageFile[]>();

/** Adds the console page. Its links begin with `basePath`. */
export async function addConsoleRoutes(app: FastifyInstance, basePath: string): Promise<void> {
  const { pageFiles } = await import("./page-files.js"); // 300 kB, loaded only where the page is served
  const files =
    packedFiles.get(basePath) ??
    Object.entries(pageFiles).map(([name, text]) =>
      pageFile(name, name === "index.html" ? text.replaceAll('="/', `="${basePath}/`) : text),
    );
  packedFiles.set(basePath, files);
  for (const { address, type, etag, plain, packed } of files) {
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
