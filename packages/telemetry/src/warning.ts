/** Warns the operator. The message must contain no header and no password. */
export type Warn = (message: string) => void;

/** Warns with a process warning. */
export const processWarning: Warn = (message) => {
  process.emitWarning(message, { type: "ConstellationWarning", code: "CONSTELLATION_TELEMETRY" });
};

/** Exceptions of the application's own function are caught: telemetry never throws into it. */
export function guardedWarn(onWarning: Warn | undefined): Warn {
  if (onWarning === undefined) return processWarning;
  return (message) => {
    try {
      onWarning(message);
    } catch {
      // The function received the message.
    }
  };
}
