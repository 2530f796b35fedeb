/** A script that was not played as it was written. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}
