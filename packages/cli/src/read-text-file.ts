import { isUtf8 } from "node:buffer";
import { FileRefusedError, readFileBounded } from "@constellation/authoring";
import { ConfigurationError } from "./configuration-error.js";

/** A file to read. */
export interface TextFile {
  readonly path: string;
  /** How errors name it. */
  readonly shown: string;
  /** Maximum size in bytes. */
  readonly maxBytes: number;
  /** What to do when it does not exist. */
  readonly advice?: string;
}

/** @throws ConfigurationError that says why it cannot be read. */
export async function readTextFile(file: TextFile): Promise<string> {
  const { path, shown, maxBytes, advice = "" } = file;
  const bytes = await readFileBounded(path, { maxBytes, shownAs: shown }).catch(
    (thrown: NodeJS.ErrnoException) => {
      if (thrown instanceof FileRefusedError) throw new ConfigurationError(thrown.message);
      throw new ConfigurationError(
        thrown.code === "ENOENT"
          ? `${shown}: file not found.${advice === "" ? "" : ` ${advice}`}`
          : `${shown}: cannot be read (${thrown.code ?? "unknown reason"}). Check the path and its permissions.`,
      );
    },
  );
  if (!isUtf8(bytes)) {
    throw new ConfigurationError(`${shown}: is not UTF-8 text. Save it as UTF-8.`);
  }
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}
