import { readFileSync } from "node:fs";
import { z } from "zod";

/** Words of people and alerts for one and the same thing. */
interface Concept {
  readonly name: string;
  readonly form: RegExp;
  readonly isSymptom: boolean;
  readonly isReadable: boolean;
}

const fileSchema = z.array(
  z.object({
    name: z.string(),
    words: z.array(z.string()).min(1),
    /** Many troubles show it: an alert that names nothing else fits any of them. */
    symptom: z.boolean().default(false),
    /** The objects of a cluster show it: where they are healthy, it is not there. */
    readable: z.boolean().default(false),
  }),
);

/** Read once, when the first text is compared. */
let concepts: readonly Concept[] | undefined;

/** Maximum number of characters of a text that are read. */
const maxLength = 8_000;

/** Names of the concepts that a text speaks of, as `data/concepts.json` lists them. The first 8,000 characters are read. */
export function readConcepts(text: string): ReadonlySet<string> {
  const short = text.slice(0, maxLength);
  if (short.trim() === "") return new Set();
  const words = inWords(short);
  const readable = words === short ? short : `${short} ${words}`;
  return new Set(
    allConcepts()
      .filter(({ form }) => form.test(readable))
      .map(({ name }) => name),
  );
}

/** As {@link readConcepts}, without symptoms that many troubles show. */
export function readSpecificConcepts(text: string): ReadonlySet<string> {
  const named = readConcepts(text);
  return new Set(
    allConcepts().flatMap(({ name, isSymptom }) => (named.has(name) && !isSymptom ? [name] : [])),
  );
}

/** Names of the concepts that many troubles show. */
export function symptomConcepts(): ReadonlySet<string> {
  return new Set(allConcepts().flatMap(({ name, isSymptom }) => (isSymptom ? [name] : [])));
}

/** Whether a text speaks of something that the objects of a cluster do not show, such as a latency or a fill level. */
export function namesUnreadable(text: string): boolean {
  const named = readConcepts(text);
  return allConcepts().some(({ name, isReadable }) => named.has(name) && !isReadable);
}

function allConcepts(): readonly Concept[] {
  concepts ??= loadConcepts();
  return concepts;
}

function loadConcepts(): readonly Concept[] {
  const file = readFileSync(new URL("../../data/concepts.json", import.meta.url), "utf8");
  const entries = fileSchema.parse(JSON.parse(file));
  return entries.map(({ name, words, symptom, readable }) => ({
    name,
    form: toPattern(words),
    isSymptom: symptom,
    isReadable: readable,
  }));
}

/** What any of the words matches: a space may be written as a hyphen or not at all, `*` is the rest of a word or a few words, and a plural is the same word. */
export function toPattern(words: readonly string[]): RegExp {
  const forms = words.map((word) =>
    word
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(" * ", "(?:\\s\\S{1,100}){1,8}\\s")
      .replaceAll("*", "[a-z0-9]*")
      .replaceAll(" ", "[ -]?"),
  );
  return new RegExp(`(?<![a-z0-9])(?:${forms.join("|")})(?:e?s)?(?![a-z0-9])`, "i");
}

/** `KubePodCrashLooping` and `image-pull` as words. */
export function inWords(text: string): string {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_/-]+/g, " ")
    .replace(/\bOOM\s?Kill/gi, "OOMKill");
}
