/** What a question compares things of a list by. */
export interface Comparison {
  readonly what: "age" | "restarts" | "replicas" | "containers";
  readonly is: "more" | "atLeast" | "less" | "atMost" | "exactly";
  /** Milliseconds for an age, else a count. */
  readonly value: number;
  /** The words of the question that say it. */
  readonly text: string;
}

const words: Readonly<Record<string, Comparison["is"]>> = {
  older: "more",
  more: "more",
  over: "more",
  above: "more",
  ">": "more",
  "at least": "atLeast",
  ">=": "atLeast",
  younger: "less",
  newer: "less",
  less: "less",
  fewer: "less",
  under: "less",
  below: "less",
  "<": "less",
  "at most": "atMost",
  "<=": "atMost",
  exactly: "exactly",
};
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  ten: 10,
};
const units: Readonly<Record<string, number>> = {
  mi: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 2_592_000_000,
  y: 31_536_000_000,
};
const word =
  "(older|younger|newer|more|less|fewer|over|under|above|below|at least|at most|exactly|>=|<=|>|<)";
const number = "(\\d{1,7}|an?|one|two|three|five|ten)";
const age = new RegExp(
  `(?<![a-z])${word} (?:than )?${number} ?(mi|h|d|w|mo|y)(?:n|ns|nutes?|r|rs|ours?|ays?|eeks?|nths?|ears?)?\\b`,
  "i",
);
const count = new RegExp(
  `(?<![a-z])${word} (?:than )?${number} (restarts?|times|replicas?|containers?)\\b`,
  "i",
);
const restarts = new RegExp(
  `\\brestart(?:s|ed| counts?)? (?:is |are |of )?${word} ?(?:than )?${number}\\b`,
  "i",
);

/** Comparisons of a question: "older than 2 days", "more than 5 restarts", "at least 3 replicas". */
export function comparisonsIn(query: string): readonly Comparison[] {
  const found: Comparison[] = [];
  const old = age.exec(query);
  if (old !== null) {
    const [text, is = "", value = "", unit = ""] = old;
    found.push(...made("age", is, parseNumber(value) * (units[unit.toLowerCase()] ?? 0), text));
  }
  const counted = count.exec(query);
  const restarted = counted === null ? restarts.exec(query) : null;
  const hit = counted ?? restarted;
  if (hit !== null) {
    const [text, is = "", value = "", of = "restarts"] = hit;
    const what = /^replica/i.test(of)
      ? "replicas"
      : /^container/i.test(of)
        ? "containers"
        : "restarts";
    found.push(...made(what, is, parseNumber(value), text));
  }
  return found;
}

function made(
  what: Comparison["what"],
  said: string,
  value: number,
  text: string,
): readonly Comparison[] {
  const is = words[said.toLowerCase()];
  return is === undefined || Number.isNaN(value) ? [] : [{ what, is, value, text }];
}

function parseNumber(text: string): number {
  return numbers[text.toLowerCase()] ?? Number(text);
}
