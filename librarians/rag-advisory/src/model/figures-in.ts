import { numberWords } from "@constellation/nlu";
import { scales } from "../country/area.js";
import { scalePattern } from "../country/money.js";

const digits = "\\d{1,3}(?:,\\d{2,3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
const figure = new RegExp(
  `(${digits})(?:\\s?(?:-|–|to)\\s?[₹$£]?(?=(?:${digits})\\s?(${scalePattern}|%|per ?cent)(?![a-z])))?(?:\\s?(${scalePattern}|%|per ?cent)(?![a-z]))?`,
  "gi",
);
const words: Readonly<Record<string, number>> = { ...numberWords, half: 0.5 };
const spelled = new RegExp(
  `\\b(${Object.keys(words).join("|")})[- ](?:a )?(${scalePattern}|per ?cent|%)(?![a-z])`,
  "gi",
);

/** One number of a text, as it can be compared. */
export interface Figure {
  /** `4800000` for 48 lakhs, `8 %` for 8 per cent. */
  readonly key: string;
  /** As it was written. */
  readonly text: string;
}

/**
 * Reads every number of a text, number words and percentages taken into account: "48 lakhs" and
 * "48,00,000" are the same figure, "8 %" and "8" are not. Of the text the first 200,000 characters
 * are read.
 */
export function figuresIn(text: string): readonly Figure[] {
  const read = text.slice(0, 200_000);
  const inDigits = [...read.matchAll(figure)].map(([written, number = "", ofRange, own]) =>
    toFigure(Number(number.replaceAll(",", "")), own ?? ofRange, written),
  );
  const inWords = [...read.matchAll(spelled)].map(([written, word = "", unit]) =>
    toFigure(words[word.toLowerCase()] ?? Number.NaN, unit, written),
  );
  return [...inDigits, ...inWords];
}

function toFigure(number: number, unit: string | undefined, text: string): Figure {
  const lower = (unit ?? "").toLowerCase();
  if (lower === "%" || lower.startsWith("per")) return { key: `${number} %`, text };
  const factor = Number(scales.get(lower) ?? 1);
  return { key: String(Number((number * factor).toPrecision(12))), text };
}
