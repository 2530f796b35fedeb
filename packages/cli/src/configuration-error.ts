/**
 * A mistake in the user's input: a mesh file, an option, an input file. The message names the place and
 * what to do; nothing else is shown.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
