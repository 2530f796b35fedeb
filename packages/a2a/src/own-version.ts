import { createRequire } from "node:module";

/** Version of this package, which its agents tell those who ask. */
export const ownVersion: string = (
  createRequire(import.meta.url)("../package.json") as { readonly version: string }
).version; // our own file
