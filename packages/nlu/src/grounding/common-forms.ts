import { isCommonWord } from "../text/common-words.js";
import { isForeignFunctionWord } from "./foreign-words.js";

/** Whether a word in lower case is a form of an everyday word. */
export function isCommonForm(lower: string): boolean {
  if (isCommonWord(lower) || isForeignFunctionWord(lower)) return true;
  const forms = [/s$/, /es$/, /d$/, /ed$/, /ing$/, /ly$/, /er$/, /n$/, /r$/].map((ending) =>
    lower.replace(ending, ""),
  );
  return forms.some((form) => form !== lower && (isCommonWord(form) || isCommonWord(`${form}e`)));
}
