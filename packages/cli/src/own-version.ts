import { readFileSync } from "node:fs";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const own = JSON.parse(manifest) as {
  readonly version: string;
  readonly engines: { readonly node: string };
}; // our own file

/** Version of this package. */
export const ownVersion: string = own.version;
/** Versions of Node.js that it runs on: `>=20.19`. */
export const neededNode: string = own.engines.node;
