import { type Evidence, loosely, nearest, type TokenLocation } from "../evidence/evidence.js";
import { wordRuns } from "../evidence/knowledge-index.js";
import type { SectionText } from "../evidence/section-text.js";
import { countCommandWords } from "./binaries.js";
import { commandsIn } from "./command-line.js";
import type { AnswerText, Pattern, Token } from "./pattern.js";

/** Commands: a tool with its subcommands. Only inside code marks, because `kubectl is` is prose. */
export const commandPattern: Pattern = {
  kind: "command",
  noun: "the command",
  mustBeCited: false,
  extract: ({ text, code }: AnswerText) =>
    code.flatMap(({ start, end }) =>
      splitLines(text.slice(start, end)).flatMap(({ line, at }) =>
        commandsIn(line).map((command): Token => {
          const from = start + at + command.start;
          const to = start + at + command.end;
          return { text: text.slice(from, to), start: from, end: to };
        }),
      ),
    ),
  find({ text }, evidence): TokenLocation {
    const [command] = commandsIn(text);
    if (command === undefined) return "cited";
    const { binary, words, mayBeginWithValue } = command;
    const found = findCommand(binary, words, evidence);
    if (found === "cited" || !mayBeginWithValue || words.length === 1) return found;
    return nearest([found, findCommand(binary, words.slice(1), evidence)]);
  },
  key: ({ text }) => text.replace(/\s+/g, " "),
};

function findCommand(binary: string, words: readonly string[], evidence: Evidence): TokenLocation {
  const depth = countCommandWords(binary, words);
  const needed = words.slice(0, depth);
  const whole = findPhrase(binary, words, evidence);
  if (whole !== "nowhere" || words.length === needed.length) return whole;
  // What is after the command is an argument, which may be the reader's own. After a command
  // of several words it may also be one more of them: then the known part proves less.
  const known = findPhrase(binary, needed, evidence);
  if (depth === 1) return known;
  return isEverWhole([binary, ...needed].join(" "), evidence) ? loosely(known) : "nowhere";
}

/**
 * Whether the knowledge base has a command without more words after it. If not, the command opens a
 * group: `argocd proj role`, followed by `create-token` or `delete`.
 */
function isEverWhole(phrase: string, { index }: Evidence): boolean {
  return index.some(wordRuns(phrase), ({ raw }) => {
    for (let at = raw.indexOf(phrase); at !== -1; at = raw.indexOf(phrase, at + 1)) {
      if (!/^(?:[\w-]|[ \t][a-z])/.test(raw.slice(at + phrase.length, at + phrase.length + 2)))
        return true;
    }
    return false;
  });
}

/** Finds where a tool is followed by these words in order, ignoring flags between them. */
function findPhrase(binary: string, words: readonly string[], evidence: Evidence): TokenLocation {
  const phrase = [binary, ...words].join(" ");
  const direct = evidence.findText(phrase, "name");
  if (direct === "cited") return direct;
  const parsed = evidence.find(phrase, (section) => section.fact(sectionCommands).has(phrase));
  return nearest([direct, parsed]);
}

/** Commands of a section and their beginnings: `argocd app sync`, `argocd app`. */
function sectionCommands({ raw }: SectionText): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { line } of splitLines(raw)) {
    if (!line.includes(" -")) continue; // without flags the words follow one another in the text
    const marked = /`([^`]{1,500})`/g;
    for (const code of [line, ...[...line.matchAll(marked)].map(([, inner = ""]) => inner)]) {
      for (const { binary, words, mayBeginWithValue } of commandsIn(code)) {
        for (let skipped = 0; skipped <= (mayBeginWithValue ? 1 : 0); skipped++) {
          for (let count = 1; count <= words.length - skipped; count++) {
            found.add([binary, ...words.slice(skipped, skipped + count)].join(" "));
          }
        }
      }
    }
  }
  return found;
}

function splitLines(text: string): readonly { line: string; at: number }[] {
  let at = 0;
  return text.split("\n").map((line) => {
    const found = { line, at };
    at += line.length + 1;
    return found;
  });
}
