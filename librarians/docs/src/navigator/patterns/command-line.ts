import { isBinary } from "./binaries.js";

/** A command in a line of code: a tool and its subcommand words. */
export interface CommandLine {
  readonly binary: string;
  /** One to three, flags left out: `["app", "sync"]`. */
  readonly words: readonly string[];
  /** The first word is after a flag and may be its value: `kubectl -n shop get`. */
  readonly mayBeginWithValue: boolean;
  /** Where the tool's name begins and the last word ends, in the line. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of words of a command that are read. */
const maxWords = 3;

/** Words that show that the text after a tool's name is prose: `kubectl is`. */
const prose: ReadonlySet<string> = new Set(
  `a also an and any api application applications are as at be by can cli command commands controller
  docs documentation does for from has if in instance is it itself may must namespace not of on or
  provides repository resource resources server should supports that the then this to ui use used uses
  was when which will with you your`.split(/\s+/),
);

/** The commands in a line of code: each part between pipes, `&&` and `;` may be one. */
export function commandsIn(line: string): readonly CommandLine[] {
  return splitSegments(line).flatMap(({ text, start }) => {
    const command = parseCommand(text);
    if (command === undefined) return [];
    return { ...command, start: start + command.start, end: start + command.end };
  });
}

/** Finds the tool at the beginning of the part of a line that a position is in. */
export function binaryBefore(line: string, at: number): string | undefined {
  return findToolName(splitSegments(line.slice(0, at)).at(-1)?.text ?? "")?.name;
}

function splitSegments(line: string): readonly { text: string; start: number }[] {
  const segments = [];
  let start = 0;
  for (const { 0: sign, index } of line.matchAll(/[|;()]|&&/g)) {
    segments.push({ text: line.slice(start, index), start });
    start = index + sign.length;
  }
  segments.push({ text: line.slice(start), start });
  return segments;
}

/** Finds the tool that a command begins with; `sudo`, prompts and assignments are skipped. */
function findToolName(segment: string): { name: string; start: number; end: number } | undefined {
  for (const { 0: part, index } of segment.matchAll(/\S+/g)) {
    if (/^(?:sudo|time|exec|watch|[$#>%]|[A-Za-z_]\w*=.*)$/.test(part)) continue;
    const name = part.slice(part.lastIndexOf("/") + 1);
    const end = index + part.length;
    return isBinary(name) ? { name, start: end - name.length, end } : undefined;
  }
  return undefined;
}

function parseCommand(segment: string): CommandLine | undefined {
  const tool = findToolName(segment);
  if (tool === undefined) return undefined;
  const words: string[] = [];
  let end = tool.end;
  let isAfterFlag = false;
  let mayBeginWithValue = false;
  for (const { 0: part, index } of segment.slice(tool.end).matchAll(/\S+/g)) {
    if (words.length === maxWords) break;
    if (part.startsWith("-")) {
      if (words.length > 0) break;
      isAfterFlag = !part.includes("=");
      continue;
    }
    const word = part.replace(/[.,:]$/, "");
    if (!/^[a-z][a-z0-9:_-]*$/.test(word) || prose.has(word)) {
      if (!isAfterFlag) break;
      isAfterFlag = false; // the value of a flag, whatever it is
      continue;
    }
    if (words.length === 0) mayBeginWithValue = isAfterFlag;
    words.push(word);
    end = tool.end + index + word.length;
    if (word !== part) break;
  }
  if (words.length === 0) return undefined;
  return { binary: tool.name, words, mayBeginWithValue, start: tool.start, end };
}
