import { styleText } from "node:util";
import type { CommandIO, Output } from "../command-io.js";

type Style = Parameters<typeof styleText>[0];

/** Styles text, where the output supports it. */
export type Paint = (style: Style, text: string) => string;

/** Leaves text as it is. */
export const unpainted: Paint = (_style, text) => text;

/** Colours for an output: on a terminal that has them, unless NO_COLOR is set; FORCE_COLOR: anywhere. */
export function paintFor(output: Output, env: CommandIO["env"]): Paint {
  return hasColour(output, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : unpainted;
}

function hasColour({ isTTY }: Output, { NO_COLOR, FORCE_COLOR, TERM }: CommandIO["env"]): boolean {
  if (NO_COLOR || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return true;
  return isTTY === true && TERM !== "dumb";
}
