/** English words that carry no subject. Words that can be names ("up", "on", "not") are kept. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below " +
    "between both but by can cannot could did do does doing down during each either else etc ever few " +
    "for from further get gets getting had has have having he her here hers him his how i if in into " +
    "is it its itself just let lets like me more most my myself need no nor now of off once one only " +
    "or other our ours ourselves out over own please same see she should so some such than that the " +
    "their theirs them themselves then there these they this those through to too under until use " +
    "used uses using very want was we were what when where whether which while who whom why will with " +
    "within would you your yours yourself yourselves dont doesnt cant didnt isnt wont im ive id"
  ).split(" "),
);
