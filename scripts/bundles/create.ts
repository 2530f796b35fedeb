import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processIO } from "@constellation/cli";
import { create } from "@constellation/create";

const cwd = await mkdtemp(join(tmpdir(), "created-"));
const io = { ...processIO(new AbortController().signal), stdout: { write: () => true }, cwd };
console.log(await create(["help-desk"], io), (await readdir(join(cwd, "help-desk"))).sort());
