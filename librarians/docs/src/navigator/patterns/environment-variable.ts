import type { TokenLocation } from "../evidence/evidence.js";
import { matches, type Pattern, type Token } from "./pattern.js";

const forms: readonly RegExp[] = [
  /(?<![\w.-])(?:\$\{?)?[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,12}\}?(?!\w)/g,
  /(?<![\w.])\$\{?[A-Z][A-Z0-9]{2,40}\b\}?/g,
];

/** Variables that every machine has, and placeholders. */
const open =
  /^(?:HOME|PATH|PWD|USER|SHELL|TMPDIR|EDITOR|YOUR_.*|MY_.*|EXAMPLE_.*|SOME_.*|.*_HERE|.*_GOES_HERE|FOO_BAR|FOO|BAR)$/;

/** Environment variables, and other names in capitals with `_`. */
export const environmentVariablePattern: Pattern = {
  kind: "environment-variable",
  noun: "the name",
  mustBeCited: false,
  extract: ({ text }) =>
    forms.flatMap((form) =>
      [...matches(form, text)].filter((token) => !open.test(variableName(token))),
    ),
  find: (token, evidence): TokenLocation => evidence.findText(variableName(token)),
  key: (token) => variableName(token),
};

function variableName({ text }: Token): string {
  return text.replace(/[${}]/g, "");
}
