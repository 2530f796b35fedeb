import type { Shapes } from "./shapes.js";

/** Something that reads text of others. */
export interface Parser {
  readonly name: string;
  /** Length of the texts its cost is measured with, in characters. */
  readonly length: number;
  /** What its texts are full of. */
  readonly shapes: Shapes;
  /** Kinds of errors with which it refuses a text, as its documentation names them. @default none */
  readonly refuses?: readonly (abstract new (
    ...parameters: never[]
  ) => Error)[];
  /** Maximum number of characters of what it gives for each of the text, names of fields included. @default 100 */
  readonly maxGrowth?: number;
  /** Reads the text, or refuses it. */
  parse(text: string): unknown;
}

export const mebibyte = 1_048_576;
