import { lexicon } from "./lexicon.js";

/** Verbs that describe, allow, record or regulate, in the third person. */
export const describes: ReadonlySet<string> = new Set(lexicon.describes.split(" "));

/** Verbs of many meanings: they describe before a plain object only. */
export const loose: ReadonlySet<string> = new Set(
  "holds gives runs takes comes keeps shows passes stands lives offers makes goes bears draws brings carries".split(
    " ",
  ),
);

/** The same verbs behind a plural: `rents vary`, `inspections take place`. */
export const describesBare: ReadonlySet<string> = new Set(
  [...describes, ...loose].map((word) =>
    word.replace(/(?<=..)ies$/, "y").replace(/(?:(?<=sh|ch|x|ss)es|s)$/, ""),
  ),
);
