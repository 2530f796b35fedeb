import { createRequire } from "node:module";

/** Version of this package, which its agents report. */
export const ownVersion: string = (
  createRequire(import.meta.url)("../package.json") as { readonly version: string }
).version; // our own file
