import { Help } from "commander";
import type { CommandIO } from "../command-io.js";

/** Width of help where the output is not a terminal, in cells. */
const plainWidth = 100;

/** Cells that help may take. */
export function helpWidth({ columns }: CommandIO["stdout"]): number {
  return columns ?? plainWidth;
}

/** Text below the help of a command. */
export type HelpText = (text: string) => () => string;

/**
 * Writes text below the help of commands. Paragraphs are as wide as the terminal; a block with an indented line, such
 * as a list of examples, stays as it is.
 */
export function createHelpText({ stdout }: CommandIO): HelpText {
  return (text) => () => {
    const blocks = text.split("\n\n").map((block) => {
      const isExample = block.split("\n").some((line) => line.startsWith(" "));
      const paragraph = block.trim().replaceAll("\n", " ");
      return isExample ? block : new Help().boxWrap(paragraph, helpWidth(stdout));
    });
    return blocks.join("\n\n");
  };
}
