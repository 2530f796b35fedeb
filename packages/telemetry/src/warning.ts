/** Tells the operator, through the process's warnings. The text must hold no header and no password. */
export function warn(message: string): void {
  process.emitWarning(message, { type: "ConstellationWarning", code: "CONSTELLATION_TELEMETRY" });
}
