import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Workspace } from "../workspaces.js";

/** A registry of packed packages on loopback. */
export interface Registry {
  readonly url: string;
  close(): void;
}

/** A workspace, and its file in the folder of tarballs. */
export interface PackedWorkspace extends Workspace {
  readonly tarball: string;
}

/** Serves packed packages by name, as npm asks a registry for them: what a release would put there. */
export async function serveRegistry(
  folder: string,
  packed: readonly PackedWorkspace[],
): Promise<Registry> {
  const server = createServer((request, response) => {
    void answer(decodeURIComponent(request.url ?? "/").slice(1)).then(
      (body) => response.writeHead(body === undefined ? 404 : 200).end(body ?? "{}"),
      (thrown: unknown) => response.writeHead(500).end(String(thrown)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const url = `http://127.0.0.1:${port}/`;

  async function answer(path: string): Promise<Buffer | string | undefined> {
    if (packed.some(({ tarball }) => tarball === path)) return readFile(join(folder, path));
    const found = packed.find(({ manifest }) => manifest.name === path);
    if (found === undefined) return undefined;
    const { manifest, tarball } = found;
    const bytes = await readFile(join(folder, tarball));
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const version = { ...manifest, dist: { tarball: url + tarball, integrity } };
    return JSON.stringify({
      name: manifest.name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: version },
    });
  }

  return { url, close: () => void server.close() };
}
