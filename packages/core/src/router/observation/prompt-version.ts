import { createHash } from "node:crypto";

/** Maximum length of a prompt's id, in characters, the version aside. */
const maxIdLength = 100;

/**
 * A prompt's id with its version, `docs.answer@1f0c9a3b`: another version means other instructions.
 *
 * @param system - The instructions that the version is made of.
 * @returns `undefined` for a prompt without an id.
 */
export function promptVersion(id: unknown, system: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  const text = typeof system === "string" ? system : "";
  const version = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${id.slice(0, maxIdLength)}@${version}`;
}
