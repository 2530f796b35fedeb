/** Words of grammar of German and Spanish, without those that English has too: a closed class. */
const german = new Set(
  "der das den dem des ein eine einen einem einer und oder ist sind war waren wird werden wurde wurden nicht kein keine keinen mit ohne nach bei von vom zum zur zu für auf aus über unter durch nur noch auch wenn weil dass darf dürfen muss müssen kann können soll sollen hat haben sich er sie es ihr wie als bis um im am pro einmal ja nein erst schon sehr mehr man jede jeder jeden jedes alle allen dieser diese dieses zwischen gegen".split(
    " ",
  ),
);
const spanish = new Set(
  "el los las un una unos unas del al y o es son está están era fue ser estar no con sin para por que como pero si se su sus lo le les más menos muy ya hay puede pueden debe deben cuando donde desde hasta entre sobre este esta estos estas cada todo toda todos todas también nunca ni".split(
    " ",
  ),
);
const shared = new Set(
  "no es die man am war a i in an so was will hat also me he as do son sin".split(" "),
);

export function isForeignFunctionWord(lower: string): boolean {
  return !shared.has(lower) && (german.has(lower) || spanish.has(lower));
}

export type Language = "en" | "de" | "es";

/** Numbers of words of grammar by language. */
export function countLanguages(
  lowers: readonly string[],
  isEnglish: (lower: string) => boolean,
): Readonly<Record<Language, number>> {
  const counts = { en: 0, de: 0, es: 0 };
  for (const lower of lowers) {
    if (shared.has(lower)) continue;
    const [de, es] = [german.has(lower), spanish.has(lower)];
    if (de) counts.de++;
    if (es) counts.es++;
    if (!de && !es && isEnglish(lower)) counts.en++;
  }
  return counts;
}
