/** A way of asking, as a word that the index can hold; no analyzer gives a word with a colon. */
export type QuestionForm = `form:${string}`;

const forms: readonly (readonly [QuestionForm, RegExp])[] = [
  [
    "form:how",
    /\bhow (?:do|can|should|could|would|to|does|is|are)\b|\b(?:steps?|procedures?|instructions?|process|checklists?|tutorials?|walkthroughs?|guides?|by the book)\b/i,
  ],
  ["form:why", /\bwhy\b|\bwhat (?:caused|is the (?:cause|reason))/i],
  ["form:which", /\bwhich\b/i],
  ["form:where", /\bwhere\b/i],
  ["form:what-is", /\bwhat(?:['’]s| is| are)\b/i],
  ["form:whether", /(?:^\W{0,20}|[,;:.?!] )(?:is|are|does|do|did|has|have|can)\b/i],
  ["form:explain", /\b(?:explain|describe|what does)\b/i],
  ["form:show", /^\W*(?:show|list|give me)\b/i],
  ["form:recommend", /\b(?:recommend|select|pick|choose|suggest|propose)(?:s|ed|ing)?\b/i],
  [
    "form:act",
    /\b(?:should|can|could|would|we|to|that|must)(?: (?:i|we|be|they|run))? (?:run|execute|trigger|apply|launch|remediate|heal|cure|fix|fixes)\b|\b(?:auto[- ]?(?:fix|heal|remediat)|automat|remediat|self-heal)/i,
  ],
  [
    "form:symptom",
    /\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|stuck|hang(?:s|ing)?|hung|down|broke|broken|break(?:s|ing)|kill(?:s|ed)|die[sd]?|dying|dead|unhealthy|healthy|unavailable|unreachable|slow|restart(?:s|ed|ing)?|missing|wrong|keeps?|(?:did|does|do|is|are|was|were|can|could|will) ?no?t|nothing|no longer|\w+n['’]t|cannot|anymore|errors?|gone|lost|pending|evicted|happened)\b/i,
  ],
  [
    "form:rule",
    /\b(?:polic(?:y|ies)|rules?|conventions?|standards?|guidelines?|prerequisites?|allowed|documented|written|settings?|options?|defaults?)\b/i,
  ],
  [
    "form:amount",
    /\b(?:how much|costs?|worth|prices?|priced|values?|valu(?:ed|ation)|fees?|pay|paid|sells? for|sold for)\b/i,
  ],
];

/** How a text asks: "how do I" is asked of others than "why is". */
export function formsOf(text: string): readonly QuestionForm[] {
  return forms.flatMap(([name, form]) => (form.test(text) ? name : []));
}
