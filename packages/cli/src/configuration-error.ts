/**
 * A mistake in the user's input: a mesh file, an option, an input file. The message names the place and what to do;
 * no stack is shown.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/**
 * Runs work whose errors are mistakes in the user's input.
 *
 * @param describe - Converts the message of the error. Default: unchanged.
 * @param kind - Class of such errors; any other error is rethrown. Default: every error.
 */
export async function asConfigurationError<Result>(
  work: () => Result | Promise<Result>,
  describe: (message: string) => string = (message) => message,
  kind: new (...given: never[]) => Error = Error,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof kind)) throw thrown;
    throw new ConfigurationError(describe(thrown.message), { cause: thrown });
  }
}

/** The error of a command that needs a journal, for a mesh without one. */
export function noJournal(): ConfigurationError {
  return new ConfigurationError(
    "The mesh has no journal. Name one with --journal FILE, or with `journal` in the mesh file.",
  );
}
