import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository. */
export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The folder of cases: `--data DIR`, or what lies beside the repository.
 *
 * @returns Undefined when it is not there.
 */
export function dataFolder(arguments_: readonly string[]): string | undefined {
  const at = arguments_.indexOf("--data");
  const folder =
    at >= 0
      ? resolve(process.env.INIT_CWD ?? process.cwd(), arguments_[at + 1] ?? "")
      : join(root, "../shared/data/k8s-cases");
  return existsSync(folder) ? folder : undefined;
}
