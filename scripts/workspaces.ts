import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What this repository's own tools read of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly type?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly files?: readonly string[];
  readonly workspaces?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** One workspace of the repository. */
export interface Workspace {
  /** Relative to the root, with forward slashes: `packages/core`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Reads the `package.json` of a folder given relative to the root. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/** Every workspace that exists, in the order the root `package.json` lists their patterns. */
export function workspaces(): readonly Workspace[] {
  return (readManifest(".").workspaces ?? [])
    .flatMap((pattern) => (pattern.endsWith("/*") ? foldersIn(pattern.slice(0, -2)) : [pattern]))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
}

/** The workspaces that a release publishes. */
export function publishableWorkspaces(): readonly Workspace[] {
  return workspaces().filter(({ manifest }) => manifest.private !== true);
}

function foldersIn(parent: string): readonly string[] {
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent))
    .sort()
    .map((name) => `${parent}/${name}`);
}
