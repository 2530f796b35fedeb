/** Letters of Devanagari in Latin ones, without marks: as Hindi is typed, not as a library writes it. */
const consonants = toTable(
  "क k ख kh ग g घ gh ङ n च ch छ chh ज j झ jh ञ n ट t ठ th ड d ढ dh ण n त t थ th द d ध dh न n प p फ ph ब b भ bh म m य y र r ल l ळ l व v श sh ष sh स s ह h",
);
const vowels = toTable("अ a आ a इ i ई i उ u ऊ u ऋ ri ए e ऐ ai ओ o औ au ऑ o");
const signs = toTable("ा a ि i ी i ु u ू u ृ ri े e ै ai ो o ौ au ॉ o ं n ँ n ः h");
const halfMark = "\u094d";
const dot = "\u093c";
/** The vowel that a consonant has of its own, and where it is not spoken: in "kitna" after the "t". */
const own = "ə";
const silent = /(?<=[aeiouə][^aeiouə]{1,2})ə(?=[^aeiouə]h?[aeiouə])/g;

/** Text with Devanagari in Latin letters; a consonant without a sign has an "a" where it is spoken. */
export function romanize(text: string): string {
  return text.replaceAll(/[\u0900-\u097f]+/g, (word) => {
    // With a dot below two letters are others: "Chandigarh", not "Chandigadh".
    const dotted = word.normalize("NFD").replaceAll("ड\u093c", "र").replaceAll("ढ\u093c", "र्ह");
    const letters = [...dotted].filter((letter) => letter !== dot);
    return letters
      .map((letter, at) => romanizeLetter(letter, letters[at + 1]))
      .join("")
      .replaceAll(silent, "")
      .replaceAll(own, "a")
      .replaceAll(/ay(?=[^aeiou])/g, "ai")
      .replaceAll(/n(?=[bpm])/g, "m");
  });
}

function romanizeLetter(letter: string, next: string | undefined): string {
  if (letter === "।") return ".";
  const digit = letter.charCodeAt(0) - 0x966;
  if (digit >= 0 && digit <= 9) return String(digit);
  const consonant = consonants.get(letter);
  if (consonant === undefined) return vowels.get(letter) ?? signs.get(letter) ?? "";
  const isNasal = next === "ं" || next === "ँ";
  const isOpen = next !== undefined && next !== halfMark && (isNasal || !signs.has(next));
  return isOpen ? consonant + own : consonant;
}

function toTable(listed: string): ReadonlyMap<string, string> {
  const words = listed.split(" ");
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""]] : [])));
}

/** A word as it is compared where it may be spelled by its sound: Hindi in Latin letters has many spellings, German two. */
export function soundKey(written: string): string {
  return romanize(written)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/(?<=[aou])e/g, "")
    .replaceAll(/(?<=[^aeiou\s])aa?(?=[^aeiou\s])/g, "")
    .replaceAll(/aa/g, "a")
    .replaceAll(/ee/g, "i")
    .replaceAll(/oo/g, "u")
    .replaceAll(/w/g, "v")
    .replaceAll(/z/g, "j")
    .replaceAll(/ph/g, "f");
}

/** The consonants of a name, and how it begins and ends: an English one is written in Devanagari as it sounds. */
export function consonantKey(written: string): string {
  return soundKey(written)
    .replaceAll(/c(?!h)|q/g, "k")
    .replaceAll(/(\p{L})\1/gu, "$1")
    .replaceAll(/(?<=[^\s])[aeiouy](?=[^\s])/g, "");
}

/** Whether a text has letters of Devanagari. */
export function isDevanagari(text: string): boolean {
  return /[\u0900-\u097f]/.test(text);
}
