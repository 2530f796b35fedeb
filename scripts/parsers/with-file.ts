import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Does work on a folder with one file in it, and takes the folder away. */
export async function withFile(
  name: string,
  text: string,
  work: (folder: string) => Promise<unknown>,
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "parsers-"));
  try {
    await writeFile(join(folder, name), text);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
