import { redacted } from "./secret-names.js";
import { quotedEnd } from "./secret-value.js";

const secretKind = /\bkind\\{0,3}["']?\s{0,20}:\s{0,20}\\{0,3}["']?Secret(?:List)?\b(?![\w-])/;
const yamlData = /^([ \t]*)(?:- )?["']?(?:data|stringData)["']?:[ \t]*$/;
const yamlEntry = /^([ \t]*["']?[\w.-]{1,253}["']?:)[ \t]*\S.*$/;
const jsonData = /\\{0,3}"(?:data|stringData)\\{0,3}"\s{0,20}:\s{0,20}\{/g;
const jsonQuote = /\\{0,3}"/y;

/**
 * Hides the values of `data` and `stringData` of Secrets, in YAML and in JSON, also JSON within a string. The name of such a
 * value says nothing: all of them are secret. In a document with a Secret in it, this holds for every `data`.
 */
export function redactKubernetesSecrets(text: string): string {
  if (!secretKind.test(text)) return text;
  return redactJsonData(
    text
      .split(/^(?=---\s*$)/m)
      .map((document) => (secretKind.test(document) ? redactYamlData(document) : document))
      .join(""),
  );
}

function redactYamlData(document: string): string {
  let dataIndent = -1;
  let entryIndent = -1;
  const kept: string[] = [];
  for (const line of document.split("\n")) {
    const indent = line.length - line.trimStart().length;
    const isBlank = line.trim() === "";
    if (dataIndent >= 0 && !isBlank && indent <= dataIndent) dataIndent = -1;
    if (dataIndent < 0) {
      const [, before] = yamlData.exec(line) ?? [];
      if (before !== undefined)
        [dataIndent, entryIndent] = [indent + (line.trimStart().startsWith("- ") ? 2 : 0), -1];
      kept.push(line);
      continue;
    }
    if (isBlank) kept.push(line);
    else if (entryIndent < 0 || indent <= entryIndent) {
      entryIndent = indent;
      kept.push(line.replace(yamlEntry, `$1 ${redacted}`));
    }
    // Deeper lines are the rest of a value.
  }
  return kept.join("\n");
}

function redactJsonData(text: string): string {
  let clean = "";
  let done = 0;
  for (const { 0: opening, index } of text.matchAll(jsonData)) {
    if (index < done) continue;
    const start = index + opening.length;
    const data = redactEntries(text, start);
    clean += text.slice(done, start) + data.text;
    done = data.end;
  }
  return clean + text.slice(done);
}

/** Hides values, but not names, up to the end of the object. */
function redactEntries(
  text: string,
  start: number,
): { readonly text: string; readonly end: number } {
  let clean = "";
  let at = start;
  let isValue = false;
  while (at < text.length && text[at] !== "}") {
    if (text[at] === ":") isValue = true;
    if (text[at] === ",") isValue = false;
    jsonQuote.lastIndex = at;
    const [quote] = jsonQuote.exec(text) ?? [];
    if (quote === undefined) {
      clean += text[at++];
      continue;
    }
    const end = quotedEnd(text, at + quote.length, quote);
    clean += quote + (isValue ? redacted : text.slice(at + quote.length, end)) + quote;
    at = end + quote.length;
  }
  return { text: clean, end: at };
}
