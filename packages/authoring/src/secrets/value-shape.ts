/** A number, with its unit, ordinal or rest: `30`, `12-char`, `5m`, `1st`. */
const number = /^\d+(?:[-.]\w{1,64}|[a-z]{1,3})?$/i;

/**
 * True for text that looks generated, not written: letters and digits within one word, several changes of case, or
 * signs between letters. Words, numbers, paths, dates, and names whose parts are words or numbers do not look made.
 *
 * @param text - Without white space, at most a few hundred characters.
 * @param minLength - Minimum length of the part that looks made.
 */
export function looksMade(text: string, minLength = 5): boolean {
  if (number.test(text) || /^[./~]|:\/\//.test(text)) return false;
  return text.split(/[-_./:,;=|()[\]{}<>]+/).some((part) => isMadePart(part, minLength));
}

/** True for text that looks made, or that a person made up of words: letters in upper case, and digits. */
export function looksChosen(text: string): boolean {
  if (looksMade(text)) return true;
  if (text.length < 5 || /^[./~]|:\/\/|^\d{4}-\d\d-\d\d/.test(text)) return false;
  return /[A-Z]/.test(text) && /\d/.test(text);
}

function isMadePart(part: string, minLength: number): boolean {
  if (part.length < minLength || number.test(part)) return false;
  const hasLetter = /[a-z]/i.test(part);
  if (!hasLetter) return false;
  if (/\d/.test(part)) return true;
  if (/[!@#$%^&*+~?](?=.)/.test(part)) return true;
  return (part.match(/[a-z](?=[A-Z])|[A-Z]{2}(?=[a-z])/g)?.length ?? 0) >= 3;
}

/** True for 20 or more characters without a word in them, as a key is: `f3a9…`; false for a UUID, a path or a name of parts. */
export function looksLikeKey(text: string): boolean {
  if (!/^[\w+/=-]{20,512}$/.test(text) || uuid.test(text)) return false;
  const digits = text.match(/\d/g)?.length ?? 0;
  return (
    digits >= 3 &&
    text.split(/[-_/]/).some((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part))
  );
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Empty values of configuration languages: `null`, `false`, `none`, stars. */
const literal = /^(?:null|nil|none|undefined|true|false|yes|no|on|off|n\/a|[*•x.-]{2,64})$/i;

/** A reference to a value instead of the value: `${NAME}`, `$NAME`, `{{ name }}`, `%NAME%`, `<name>`. */
const reference =
  /^(?:\$\{[^}]{0,200}\}|\$\([^)]{0,200}\)|\$[A-Z_][A-Z0-9_]{0,100}|\{\{.{0,200}|%[A-Z_]{1,100}%|<[a-z][a-z _-]{0,60}>|\[[a-z][a-z _-]{0,60}\])$/i;

/** An expression of a programming language: `os.environ["X"]`, `await read(user)`. */
const expression = /^(?:(?:await|new)\s)?[a-z_$][\w$]{0,100}(?:\.[a-z_$][\w$]{0,100}){0,9}[([]/i;

/** True for a placeholder instead of a value. */
export function isPlaceholder(text: string): boolean {
  return literal.test(text) || reference.test(text);
}

/** True for the beginning of code that gets a value from elsewhere. */
export function isExpression(text: string): boolean {
  return expression.test(text) && /[)\]][;,]{0,2}\s{0,3}$/.test(text);
}
