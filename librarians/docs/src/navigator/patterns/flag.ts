import { trimTrailing } from "@constellation/authoring";
import { containsToken } from "../evidence/contains-token.js";
import { loosely, nearest, type TokenLocation } from "../evidence/evidence.js";
import { binaryBefore } from "./command-line.js";
import { matches, type Pattern } from "./pattern.js";

const form = /(?<![\w-])--[a-zA-Z][\w.-]{0,80}/g;

/** Command-line flags, with the tool that precedes them, if there is one. */
export const flagPattern: Pattern = {
  kind: "flag",
  noun: "the flag",
  mustBeCited: false,
  extract({ text, whole, code }) {
    let at = 0;
    return [...matches(form, text)].map((token) => {
      while ((code[at]?.end ?? Infinity) <= token.start) at++;
      const piece = code[at];
      const flag = trimTrailing(token.text, /[.-]/);
      const owner =
        piece !== undefined && piece.start <= token.start
          ? binaryBefore(lineTo(whole.slice(piece.start, token.start)), Infinity)
          : undefined;
      return { ...token, text: flag, end: token.start + flag.length, owner };
    });
  },
  find({ text, owner }, evidence): TokenLocation {
    const flag = text.toLowerCase();
    if (owner !== undefined) {
      const together = evidence.find(
        `${flag} ${owner}`,
        ({ folded }) => containsToken(folded, flag, "name") && containsToken(folded, owner),
      );
      if (together !== "nowhere") return together;
    }
    const found = nearest(spellings(flag).map((spelling) => evidence.findText(spelling, "name")));
    return owner === undefined ? found : loosely(found);
  },
  key: ({ text, owner = "" }) => `${owner} ${text}`.toLowerCase().trim(),
};

/** `--no-color` counts as documented when `--color` is. */
function spellings(flag: string): readonly string[] {
  return flag.startsWith("--no-") ? [flag, `--${flag.slice("--no-".length)}`] : [flag];
}

/** The last line of a text, its last 2,000 characters at most. */
function lineTo(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1).slice(-2_000);
}
