/** Text in which environment variables have been put. */
export interface Substituted {
  readonly text: string;
  /** Names of the variables whose values it contains. */
  readonly variables: readonly string[];
  /** Names of variables that are not set and have no default. */
  readonly unset: readonly string[];
  /** Text that starts like a variable but is malformed. */
  readonly malformed: readonly string[];
}

const nameAndDefault = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
const maxShownReference = 40;

/**
 * Puts `${NAME}` and `${NAME:-default}` in a text; `$${` is a `${` that stays. An empty variable is
 * unset. Linear: each `}` is searched for once.
 */
export function substituteEnvironment(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Substituted {
  const variables: string[] = [];
  const unset: string[] = [];
  const malformed: string[] = [];
  const parts: string[] = [];
  let done = 0;
  let end = -1;
  for (let start = text.indexOf("${"); start >= 0; start = text.indexOf("${", done)) {
    if (start > done && text[start - 1] === "$") {
      parts.push(text.slice(done, start - 1), "${");
      done = start + 2;
      continue;
    }
    parts.push(text.slice(done, start));
    if (end < start) end = text.indexOf("}", start);
    if (end < 0) end = text.length;
    const isClosed = end < text.length;
    const [, name, fallback] = (isClosed && nameAndDefault.exec(text.slice(start + 2, end))) || [];
    if (name === undefined) {
      done = Math.min(end + 1, start + 2 + maxShownReference);
      malformed.push(text.slice(start, done));
      parts.push(text.slice(start, done));
      continue;
    }
    done = end + 1;
    variables.push(name);
    const value = env[name];
    if (value === undefined || value === "") {
      if (fallback === undefined) unset.push(name);
      parts.push(fallback ?? "");
    } else parts.push(value);
  }
  return { text: parts.join("") + text.slice(done), variables, unset, malformed };
}
