/** Warns the operator with a process warning. The message must contain no header and no password. */
export function warn(message: string): void {
  process.emitWarning(message, { type: "ConstellationWarning", code: "CONSTELLATION_TELEMETRY" });
}
