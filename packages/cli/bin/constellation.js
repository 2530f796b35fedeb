#!/usr/bin/env node
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);

if (existsSync(main)) {
  await import(main.href);
} else {
  // In the repository the command is there before its code is: npm links it when it installs.
  process.stderr.write(
    "constellation: not built yet. Run `npm run build` in the repository first.\n",
  );
  process.exitCode = 2;
}
