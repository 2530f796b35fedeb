import { readFileSync } from "node:fs";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");

/** Version of this package. */
export const ownVersion: string = (JSON.parse(manifest) as { readonly version: string }).version; // our own file
