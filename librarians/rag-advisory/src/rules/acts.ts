import { readFileSync } from "node:fs";
import type { ActRule } from "./act-rule.js";
import type { Lexicon } from "./pattern.js";

/**
 * What no sentence of an advisory may do, in words that explain it, and the classes of words that these are made of.
 * Only patterns that matter beside the fitted classifier: those that catch sentences which it misses, and those that
 * find orders to a model.
 */
export const { acts, lexicon } = JSON.parse(
  readFileSync(new URL("../../data/acts.json", import.meta.url), "utf8"),
) as { readonly acts: readonly ActRule[]; readonly lexicon: Lexicon };
