import { readFileSync } from "node:fs";
import path from "node:path";
import { type ReadPassage, readPassages } from "../src/index.js";

/** A sentence of `lies.jsonl` or `honest.jsonl`, and the passages that it may rest on. */
export interface GroundingCase {
  readonly id: string;
  readonly sentence: string;
  /** Its class of lies, or the form of an honest sentence. */
  readonly kind: string;
  readonly cited: readonly ReadPassage[];
  readonly others: readonly ReadPassage[];
  /** The warning that an answer with the sentence has to have. */
  readonly needs?: string | undefined;
}

interface CaseLine {
  readonly id: string;
  readonly passages: readonly { readonly id: string; readonly text: string }[];
  readonly sentence: string;
  readonly cites: readonly string[];
  readonly class?: string;
  readonly form?: string;
  readonly needs?: string;
}

/** Reads the cases of a file in a folder. @throws Error of the file system; SyntaxError. */
export function readCases(folder: string, file: string): readonly GroundingCase[] {
  return readFileSync(path.join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const one = JSON.parse(line) as CaseLine;
      const passages = readPassages(one.passages);
      const isCited = ({ id }: ReadPassage) => one.cites.includes(id);
      return {
        id: one.id,
        sentence: one.sentence,
        needs: one.needs,
        kind: one.class ?? one.form ?? "",
        cited: passages.filter(isCited),
        others: passages.filter((passage) => !isCited(passage)),
      };
    });
}

/** A text without case, full stops and line breaks. */
export function toPlain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[.\s]+/g, " ")
    .trim();
}
