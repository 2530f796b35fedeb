import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../configuration-error.js";

/** Files that are a mesh where none is named, the first that exists. */
export const defaultMeshFiles = [
  "constellation.yaml",
  "constellation.yml",
  "mesh.yaml",
  "constellation.js",
] as const;

/** @throws ConfigurationError when there is none, saying how to make one. */
export function findMesh(cwd: string): string {
  const found = defaultMeshFiles.find((name) => existsSync(join(cwd, name)));
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `There is no mesh here: none of ${defaultMeshFiles.join(", ")}. Name one with --mesh FILE, or make one with \`constellation init\`.`,
  );
}
