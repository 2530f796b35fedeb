import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadMesh, type Mesh } from "@constellation/cli";
import { onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { root } from "../docs/markdown-blocks.js";

/** The key of the model in these tests; it may stand nowhere but in the header of a request. */
export const apiKey = "sk-ant-incident-0123456789abcdef";

/** Where the incident mesh finds its model, and what is changed in its folder before it is loaded. */
export interface IncidentMeshOptions {
  readonly baseURL: string;
  /** Gets the folder of a copy of the example: `cluster`, `runbooks`, `workflows`. */
  readonly change?: (folder: string) => Promise<void>;
}

/** Loads a copy of examples/incident/mesh.yaml whose model is at an address. Closed when the test ends. */
export async function incidentMesh({ baseURL, change }: IncidentMeshOptions): Promise<Mesh> {
  const folder = await mkdtemp(join(tmpdir(), "incident-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of ["cluster", "runbooks", "workflows"]) {
    await cp(join(root, "examples/incident", part), join(folder, part), { recursive: true });
  }
  await change?.(folder);
  const mesh = parse(await readFile(join(root, "examples/incident/mesh.yaml"), "utf8"));
  mesh.model.baseURL = baseURL;
  const rag = mesh.librarians.find(({ use }: { use: string }) => use.endsWith("rag-advisory"));
  rag.options.documents = join(root, "librarians/rag-advisory/sample-data");
  const file = join(folder, "mesh.yaml");
  await writeFile(file, stringify(mesh));
  const loaded = await loadMesh(file, { env: { ANTHROPIC_API_KEY: apiKey } });
  onTestFinished(() => loaded.router.close());
  return loaded;
}
