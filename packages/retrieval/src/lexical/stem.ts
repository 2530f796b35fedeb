/**
 * The stem of an English word, so that "configuring" and "configured" meet.
 *
 * @param word - Lower case, `a` to `z` and the apostrophe; anything else comes back unchanged.
 *
 * Source: the English ("Porter2") stemmer of M. Porter's Snowball project, whose published
 * vocabulary the tests sample.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z']+$/.test(word)) return word;
  const special = specialWords.get(word);
  if (special !== undefined) return special;
  let w = markConsonantY(word.replace(/^'/, ""));
  const [r1, r2] = regions(w);
  w = w.replace(/'s?'?$/, "");
  w = plurals(w);
  if (finalWords.has(w)) return w;
  w = pastAndGerund(w, r1);
  if (w.length > 2) w = w.replace(/([^aeiouy])[yY]$/, (match, c, at) => (at > 0 ? `${c}i` : match));
  w = doubleSuffix(w, r1);
  w = longSuffix(w, r1, r2);
  w = residue(w, r2);
  w = finalLetter(w, r1, r2);
  return w.replaceAll("Y", "y");
}

const specialWords = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((w) => [w, w] as const),
]);

/** Words that are whole once their plural is gone. */
const finalWords = new Set(
  "inning outing canning herring earring proceed exceed succeed".split(" "),
);

const vowel = /[aeiouy]/;

/** A `y` that begins a word or follows a vowel is a consonant: it is written `Y` from here on. */
function markConsonantY(word: string): string {
  return word.replace(/^y|(?<=[aeiouy])y/g, "Y");
}

/** Where the regions R1 and R2 of the algorithm begin. */
function regions(word: string): readonly [number, number] {
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  const r1 = prefix === null ? afterVowelConsonant(word, 0) : prefix[0].length;
  return [r1, afterVowelConsonant(word, r1)];
}

function afterVowelConsonant(word: string, from: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return match === null ? word.length : from + match.index + 2;
}

function plurals(w: string): string {
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (w.endsWith("ied") || w.endsWith("ies")) return w.slice(0, w.length > 4 ? -2 : -1);
  if (w.endsWith("us") || w.endsWith("ss") || !w.endsWith("s")) return w;
  return vowel.test(w.slice(0, -2)) ? w.slice(0, -1) : w;
}

function pastAndGerund(w: string, r1: number): string {
  const match = /(?:eedly|eed|ingly|edly|ing|ed)$/.exec(w);
  if (match === null) return w;
  const suffix = match[0];
  const base = w.slice(0, match.index);
  if (suffix.startsWith("eed")) return match.index >= r1 ? `${base}ee` : w;
  if (!vowel.test(base)) return w;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return base.slice(0, -1);
  return isShort(base, r1) ? `${base}e` : base;
}

/** Ends in a short syllable, with nothing after it. */
function isShort(w: string, r1: number): boolean {
  return r1 >= w.length && endsInShortSyllable(w);
}

function endsInShortSyllable(w: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/.test(w);
}

const doubleSuffixes: readonly (readonly [string, string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
];

function doubleSuffix(w: string, r1: number): string {
  for (const [suffix, replacement] of doubleSuffixes) {
    if (!w.endsWith(suffix)) continue;
    const at = w.length - suffix.length;
    return at >= r1 ? w.slice(0, at) + replacement : w;
  }
  if (w.endsWith("ogi")) return w.length - 3 >= r1 && w.endsWith("logi") ? w.slice(0, -1) : w;
  if (w.endsWith("li") && w.length - 2 >= r1 && /[cdeghkmnrt]li$/.test(w)) return w.slice(0, -2);
  return w;
}

const longSuffixes: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

function longSuffix(w: string, r1: number, r2: number): string {
  for (const [suffix, replacement] of longSuffixes) {
    if (!w.endsWith(suffix)) continue;
    const at = w.length - suffix.length;
    return at >= r1 ? w.slice(0, at) + replacement : w;
  }
  return w.endsWith("ative") && w.length - 5 >= r2 ? w.slice(0, -5) : w;
}

const residues = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function residue(w: string, r2: number): string {
  const match = residues.exec(w);
  if (match === null || match.index < r2) return w;
  if (match[0] === "ion" && !/[st]ion$/.test(w)) return w;
  return w.slice(0, match.index);
}

function finalLetter(w: string, r1: number, r2: number): string {
  const at = w.length - 1;
  if (w.endsWith("e")) {
    const drops = at >= r2 || (at >= r1 && !endsInShortSyllable(w.slice(0, -1)));
    return drops ? w.slice(0, -1) : w;
  }
  return w.endsWith("ll") && at >= r2 ? w.slice(0, -1) : w;
}
