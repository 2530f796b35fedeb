import { createAnalyzer } from "@constellation/retrieval";

/** Content words of a text, stemmed and in lower case, each once. */
export function contentWords(text: string): ReadonlySet<string> {
  const terms = analyzer.terms(text);
  // A name in camel case counts by its parts, so that `handlerTimeout` is close to "timeout".
  return new Set(terms.flatMap(({ text: word, isExtra }) => (isExtra ? [] : word)));
}

const stopWords: ReadonlySet<string> = new Set(
  `a about according after all also although an and answer any are as at based be because been before
  being both but by can cannot could did do does doing done due each either else even every for from
  given had has have having he her here how however if in instead into is it its just like may md might
  more most must need no nor not of off on once one only or other our out over own per same section see
  set shall she should since so some such than that the their them then there therefore these they this
  those through thus to too under until up upon us use used uses using very via was we well were what
  when where whether which while who whose why will with within without would you your`.split(
    /\s+/,
  ),
);

const analyzer = createAnalyzer({ stopWords });
