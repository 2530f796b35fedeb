/** Text in which environment variables have been put. */
export interface Substituted {
  readonly text: string;
  /** Names of the variables it has values of. */
  readonly variables: readonly string[];
  /** Names of those that are not set and have no default. */
  readonly unset: readonly string[];
  /** What begins like a variable and is none. */
  readonly malformed: readonly string[];
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{[^}]{0,40}\}?/g;

/** Puts `${NAME}` and `${NAME:-default}` in a text; `$${` is a `${` that stays. An empty variable is unset. */
export function substituteEnvironment(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Substituted {
  const variables: string[] = [];
  const unset: string[] = [];
  const malformed: string[] = [];
  const result = text.replace(reference, (whole, name?: string, fallback?: string) => {
    if (whole === "$${") return "${";
    if (name === undefined) {
      malformed.push(whole);
      return whole;
    }
    variables.push(name);
    const value = env[name];
    if (value !== undefined && value !== "") return value;
    if (fallback === undefined) unset.push(name);
    return fallback ?? "";
  });
  return { text: result, variables, unset, malformed };
}
