import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../configuration-error.js";

/** Default mesh files, the first that exists. */
export const defaultMeshFiles = [
  "constellation.yaml",
  "constellation.yml",
  "mesh.yaml",
  "constellation.js",
] as const;

/** The mesh file of a folder, for a command that can do without one. */
export function defaultMesh(cwd: string): string | undefined {
  return defaultMeshFiles.find((name) => existsSync(join(cwd, name)));
}

/** @throws ConfigurationError when there is none, with how to create one. */
export function findMesh(cwd: string): string {
  const found = defaultMesh(cwd);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `No mesh file found: none of ${defaultMeshFiles.join(", ")}. Pass one with --mesh FILE, or create one with \`constellation init\`.`,
  );
}
