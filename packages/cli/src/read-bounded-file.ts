import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { ConfigurationError } from "./configuration-error.js";

/** A file to read, and how much of it at most. */
export interface BoundedFile {
  readonly path: string;
  /** How errors name it. */
  readonly shown: string;
  /** What it is, as in "more than a mesh file may have". */
  readonly what: string;
  readonly mostBytes: number;
  /** What to do when it is not there. */
  readonly advice?: string;
}

/** @throws ConfigurationError that says why it cannot be read. */
export async function readBoundedFile(file: BoundedFile): Promise<string> {
  const { path, shown, what, mostBytes, advice = "" } = file;
  try {
    const { size } = await stat(path);
    if (size > mostBytes) {
      throw new ConfigurationError(
        `${shown}: ${size} bytes are more than ${what} may have, ${mostBytes}.`,
      );
    }
    const bytes = await readFile(path);
    if (!isUtf8(bytes)) {
      throw new ConfigurationError(`${shown}: is not UTF-8 text. Save it as UTF-8.`);
    }
    return bytes.toString("utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    const { code = "unknown reason" } = thrown as NodeJS.ErrnoException;
    throw new ConfigurationError(
      code === "ENOENT"
        ? `${shown}: there is no such file.${advice === "" ? "" : ` ${advice}`}`
        : `${shown}: cannot be read (${code}).`,
    );
  }
}
