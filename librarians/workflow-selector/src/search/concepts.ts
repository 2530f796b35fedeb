import { readFileSync } from "node:fs";
import { z } from "zod";

/** Words of people and alerts for one and the same thing. */
interface Concept {
  readonly name: string;
  readonly form: RegExp;
  readonly isShortage: boolean;
}

const fileSchema = z.array(
  z.object({
    name: z.string(),
    words: z.array(z.string()).min(1),
    /** Too little of something: undoing a change gives no more of it. */
    shortage: z.boolean().default(false),
  }),
);

/** Read once, when the first text is compared. */
let concepts: readonly Concept[] | undefined;

/** Maximum number of characters of a text that are read. */
const maxLength = 8_000;

/** Names of the concepts that a text speaks of, as `data/concepts.json` lists them. The first 8,000 characters are read. */
export function conceptsOf(text: string): ReadonlySet<string> {
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

/** Whether a text speaks of too little of something, such as memory or a quota. */
export function namesShortage(text: string): boolean {
  const named = conceptsOf(text);
  return allConcepts().some(({ name, isShortage }) => isShortage && named.has(name));
}

function allConcepts(): readonly Concept[] {
  concepts ??= readConcepts();
  return concepts;
}

function readConcepts(): readonly Concept[] {
  const file = new URL("../../data/concepts.json", import.meta.url);
  const entries = fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return entries.map(({ name, words, shortage }) => ({
    name,
    form: formOf(words),
    isShortage: shortage,
  }));
}

/** A space may be written as a hyphen or not at all, `*` is the rest of a word, and a plural is the same word. */
function formOf(words: readonly string[]): RegExp {
  const forms = words.map((word) =>
    word
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", "[a-z]*")
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
