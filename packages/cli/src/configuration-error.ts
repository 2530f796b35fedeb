/**
 * Something is wrong with what the user wrote: a mesh file, an option, an input file. The message
 * says where it is and what to do; it is all that is shown.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
