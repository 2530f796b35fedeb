/**
 * A mistake in the user's input: a mesh file, an option, an input file. The message names the place and
 * what to do; nothing else is shown.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/**
 * Does work whose errors are about the user's input.
 *
 * @param describe - Makes the message from that of the error. Not given: the same.
 * @param kind - Class of those errors; any other is a fault of this command. Not given: all are about the input.
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
