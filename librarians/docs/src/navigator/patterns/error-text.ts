import { trimTrailing } from "@constellation/authoring";
import { nearest, type TokenLocation } from "../evidence/evidence.js";
import { foldText } from "../evidence/section-text.js";
import { matches, type Pattern, type Token } from "./pattern.js";

const form = /"[^"\n]{10,400}"|“[^“”\n]{10,400}”|`[^`\n]{10,400}`/g;

/** Beginnings of error messages, or text that introduces a quoted one. */
const beginning =
  /^\W?(?:\w{0,40}(?:error|exception)\b|fatal\b|panic\b|failed to\b|unable to\b|cannot\b|can['’]t\b|could not\b|no such\b|permission denied\b|connection (?:refused|reset|timed out)\b|invalid\b|missing\b|unknown\b|unexpected\b|access denied\b)/i;
const announcement =
  /\b(?:errors?|messages?|exceptions?|warnings?|fails? with|says|reads|logs?|reports?)(?:\s+(?:message|text|like|such as|saying|is|of|with|that reads)){0,2}\W{0,3}$/i;

/**
 * Variable parts of a message: `%s`, `{name}`, `<pod>`, quoted names, words with digits or
 * punctuation within.
 */
const open =
  /%[-\d.]{0,5}[a-z]|\$?\{[^{}]{0,100}\}|<[^<>]{0,100}>|'[^']{0,100}'|"[^"]{0,100}"|\.\.\.|…|[^\s\d/=@.]{0,60}[\d/=@]\S{0,100}|\w{1,60}\.\w\S{0,60}/gi;

/** Error messages that the answer quotes. */
export const errorTextPattern: Pattern = {
  kind: "error-text",
  noun: "the quoted message",
  mustBeCited: false,
  extract: ({ text }) =>
    [...matches(form, text)]
      .map(
        (token): Token => ({
          text: token.text.slice(1, -1),
          start: token.start + 1,
          end: token.end - 1,
        }),
      )
      .filter(
        ({ text: quote, start }) =>
          (quote.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3 &&
          (beginning.test(quote) ||
            announcement.test(text.slice(Math.max(0, start - 60), start - 1))),
      ),
  find({ text }, evidence): TokenLocation {
    const message = trimTrailing(foldText(text).trim(), /[.,;:!]/);
    const pieces = message.split(open).map((piece) => piece.trim());
    const telling = pieces.filter((piece) => splitWords(piece).length > 1);
    return nearest([
      evidence.findText(message),
      (telling.join(" ").match(/\p{L}{2,}/gu)?.length ?? 0) < 3
        ? "nowhere"
        : evidence.find(
            telling.join(" "),
            ({ folded, plain }) => standInOrder(telling, folded) || standInOrder(telling, plain),
          ),
    ]);
  },
};

function standInOrder(pieces: readonly string[], text: string): boolean {
  let at = 0;
  return pieces.every((piece) => {
    const found = text.indexOf(piece, at);
    at = found + piece.length;
    return found !== -1;
  });
}

function splitWords(piece: string): readonly string[] {
  return piece.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word));
}
