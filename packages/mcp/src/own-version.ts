import { createRequire } from "node:module";

/** Version of this package, which its servers and clients report. */
export const ownVersion: string = (
  createRequire(import.meta.url)("../package.json") as { readonly version: string }
).version; // our own file
