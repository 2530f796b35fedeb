#!/usr/bin/env node
import { existsSync } from "node:fs";

const code = new URL("../dist/index.js", import.meta.url);

if (existsSync(code)) {
  const [{ processIO }, { create }] = await Promise.all([
    import("@constellation/cli"),
    import(code.href),
  ]);
  process.exitCode = await create(process.argv.slice(2), processIO(new AbortController().signal));
} else {
  // In the repository the command is there before its code is: npm links it when it installs.
  process.stderr.write("create-constellation: not built yet. Run `npm run build` first.\n");
  process.exitCode = 2;
}
