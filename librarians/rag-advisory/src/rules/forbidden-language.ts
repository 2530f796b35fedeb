/** What a content rule forbids. */
export type ContentRule = "decision" | "action" | "unfactual";

/** A pattern of forbidden language, over readable text, any letter case. */
export interface ForbiddenPattern {
  readonly rule: ContentRule;
  readonly pattern: RegExp;
}

/** What a buyer or a seller decides on. */
const trade =
  "(?:buy|sell|purchase|invest|wait|bid|negotiate|reject|decline|avoid|skip|proceed|sign|choose|pick|book|commit|consider|hold off|walk away|accept (?:the|this|that|an?))";
const trading =
  "(?:buying|selling|purchasing|investing|renting|waiting|bidding|negotiating|accepting|avoiding|booking|signing|choosing)";
/** Whom advice speaks to when it does not say "you". */
const party =
  "(?:(?:home ?)?(?:buyers?|owners?)|investors?|sellers?|vendors?|purchasers?|renters?|tenants?|landlords?|anyone|everyone|people)";
/** What one does with a property, after a word that weighs it. */
const deal = `(?:${trade}|rent|own|hold|move in)`;
/** Where a sentence begins, or what makes what follows an order. */
const sentenceStart =
  "(?:^|[.!?;:]\\s+|[-•]\\s+|[\"'(]|\\b(?:please|just|simply|now|today|you can|you could|you may|you might|you'll)\\s+)";
/** The same, and where a clause begins. */
const clauseStart = `(?:${sentenceStart}|,\\s+|\\b(?:and|then|so|or)\\s+)`;
/** What follows a verb that orders, and rarely a noun. */
const object =
  "(?:(?:the|this|that|these|those|your|our|us|me|him|her|them|it|a|an|any|one|now|today|soon|here|early|immediately)\\b|\\d|\\+|https?:)";

const decision: readonly string[] = [
  `\\b(?:you|i|we|one)\\s+(?:really |definitely |absolutely |probably |certainly )?(?:should|must|ought to|need to|have to|had better|shouldn't|mustn't|needn't)\\b`,
  `\\b(?:should|must|ought to|shouldn't|mustn't)\\s+(?:not |never |definitely |absolutely |immediately |now )?${trade}\\b`,
  `\\b(?:i|we|our (?:analysts?|team|experts?|advice))\\s+(?:strongly |highly |would |do |also |therefore )*(?:recommends?|advises?|suggests?|urges?|is to)\\b`,
  `\\b(?:strongly |highly )?(?:recommend(?:ed|s|ing)?|advis(?:able|ed|es|ing)|advise|suggest(?:ed|s)?)\\s+(?:to |that you |you (?:to )?|against )?(?:${trade}|${trading})\\b`,
  `\\b(?:our|my|the) (?:recommendation|verdict|advice) (?:is|would be)\\b`,
  `\\b(?:strong|clear|definite) (?:buy|sell)\\b(?! side)`,
  `\\b(?:a|the) (?:good|great|right|perfect|best|ideal|bad|wrong|worst) (?:time|moment|choice|decision|idea) (?:to|for)\\b`,
  `\\b(?:worth|consider|recommend|go ahead with) ${trading}\\b`,
  `\\bit(?:'s| is| would be) (?:wise|wiser|best|better|smart|prudent|sensible|unwise|foolish|advisable|time) (?:to|not to)\\b`,
  `\\b(?:do not|don't|never) ${trade}\\b`,
  `\\bgo for it\\b`,
  `\\bthe (?:right|correct|obvious|best) (?:decision|choice|option|move) is\\b`,
  `\\b${party}(?: [\\w-]+){0,4} (?:should|ought to|had better|would do well|would be (?:wise|smart|well advised|foolish)|(?:is|are) (?:strongly |well )?(?:advised|encouraged|urged|recommended))\\b`,
  `\\b(?:you'd|you would|you'll|you will) (?:be (?:wise|smart|well advised|foolish)|want|need|do well|regret)\\b`,
  `\\bmakes? (?:[\\w-]+ )?sense to ${deal}\\b`,
  `\\b(?:is|'s) (?:also |still |really )?the (?:time|moment|place|market) (?:to|for) (?:${deal}|${trading})\\b`,
  `\\b(?:strategy|approach|plan|move|option|choice) is to ${deal}\\b`,
  `\\b(?:better|best|wiser|smarter|safer) to ${deal}\\b`,
  `\\b(?:${trading}|owning|holding|(?:an? |the )?(?:purchase|sale|investment|offer|bid))(?: [\\w-]+){0,3} (?:is|would be|looks|seems) (?:[\\w-]+ )?(?:recommended|advisable|advised|wise|sensible|prudent|smart|better|best|the (?:better|best|right|safer) (?:option|choice|move))(?![\\w-])`,
  `\\bis (?:a|an) (?:buy|sell|hold)(?=\\s*(?:[.!;,)]|$))`,
  `\\b(?:recommendation|verdict|advice)\\s?:`,
  `\\blet(?:'s| us) (?:${trade}|help you)\\b`,
];

const action: readonly string[] = [
  `${clauseStart}contact(?! (?:details?|information|centres?|centers?|rates?|points?)\\b)\\b`,
  `${clauseStart}(?:buy|invest)\\b(?![- ]to[- ]let|-to-|-side)`,
  `${clauseStart}(?:negotiate|subscribe|hurry|click|whatsapp|hire|avoid|delegate|reach out|get in touch|act (?:now|fast|quickly|today))\\b`,
  `${sentenceStart}(?:call|email|e-mail|phone|ring|text|message|visit|book|schedule|sign|download|sell|purchase|offer|bid|pay|transfer|deposit|submit|consult|choose|select|pick|request|ask|run|execute|ignore|secure|reserve|grab|lock in|make|send|fill|use|open|join|start|stop) (?:up |in |out |down )?${object}`,
  `${sentenceStart}(?:(?:apply|register|enquire|inquire) (?:for|with|at|online|now|today|here)|(?:speak|talk|write|go) (?:to|with))\\b`,
  `\\bplease (?:contact|call|email|phone|visit|click|book|apply|sign|register|get|reach|ask|speak|talk|send|submit|buy|sell|pay|make|fill)\\b`,
  `\\b(?:contact|call|email|phone|message|text|whatsapp) (?:us|me|this (?:agent|broker|number|seller)|the (?:agent|broker|seller|owner|developer|office)|your (?:agent|broker|bank|lender|lawyer)|an? (?:agent|broker|lawyer|solicitor|advis[eo]r))\\b`,
  `\\b(?:get in touch with|reach out to|don't (?:miss|wait|delay)|do not (?:miss|wait|delay)|act (?:now|fast)|click here|call now|apply now|book now|buy now|enquire now|sign up)\\b`,
  `${clauseStart}(?:snap up|pull the trigger|jump in|steer clear|stay away|put in an offer|don't sleep|move (?:fast|quickly)|take (?:this|the) (?:deal|offer))\\b`,
  `${sentenceStart}(?:hold off|get your|wire (?:the|your|a|money|funds)|insist on)\\b`,
  `\\b(?:should|must|need to|have to) (?:jump in|snap up|hurry|act|move) ?(?:now|fast|quickly|soon|early|before|immediately)?\\b`,
  `\\b(?:ignore|disregard|forget) (?:all |any |the |your )?(?:previous|prior|above|earlier|other) (?:instructions?|rules?|messages?|prompts?)\\b`,
];

const unfactual: readonly string[] = [
  `\\b(?:great|good|excellent|amazing|fantastic|incredible|unbeatable|terrific|super|best|better|perfect|ideal|wonderful|smart|sound|solid|safe|bad|terrible|awful|poor|worst|attractive|lucrative|golden|rare|real) (?:deal|bargain|buy|investment|purchase|opportunity|opportunities|value for money|pick|bet)s?\\b`,
  `\\b(?:a|an|real|absolute|total) (?:bargain|steal|gem|no-brainer|must-have|rip-off|ripoff|scam|catch)\\b`,
  `\\b(?:no-brainer|must-have|must-see|must-buy|once[- ]in[- ]a[- ](?:lifetime|generation|decade)|dream (?:home|house|property|villa|apartment|location)|hidden gem|too good to (?:miss|be true)|can(?:'t|not) (?:go wrong|lose)|smart money|guaranteed (?:returns?|profits?|growth|appreciation|yields?)|risk-free|sure to (?:rise|grow|appreciate|go up)|bound to (?:rise|grow|appreciate|go up)|will (?:definitely|certainly|surely|undoubtedly|double|triple|soar|skyrocket|boom))\\b`,
  `\\b(?:amazing|fantastic|incredible|unbeatable|stunning|gorgeous|breathtaking|spectacular|magnificent|superb|fabulous|awesome|marvellous|marvelous|exquisite|unmissable|phenomenal|outstanding|beautiful|wonderful|excellent|terrific|world-class|unparalleled|unrivalled|unrivaled|terrible|awful|horrible|dreadful|luxurious|lovely|charming|idyllic)\\b`,
  `\\b(?:great|good|excellent|amazing|poor|bad|best) value\\b`,
  `\\bis (?:a |an )?(?:very |quite |rather |more than )?(?:fair|unfair|reasonable|unreasonable|over-?priced|under-?priced)(?= (?:price|rent|offer|deal)\\b|\\s*(?:[.!;,)]|$))`,
  `\\b(?:price|rent|offer) is (?:far |much |way )?too (?:high|low|expensive)\\b`,
  `\\b(?:i|we) (?:think|believe|feel|love|hate|guess|reckon)\\b`,
  `\\bin (?:my|our) (?:opinion|view|experience)\\b`,
  `\\b(?:unfortunately|luckily|fortunately|sadly|happily|thankfully|obviously|undoubtedly|without a doubt|honestly)\\b`,
];

/** Everything that no generated text may say. */
export const forbiddenPatterns: readonly ForbiddenPattern[] = [
  ...decision.map((source) => forbidden("decision", source)),
  ...action.map((source) => forbidden("action", source)),
  ...unfactual.map((source) => forbidden("unfactual", source)),
];

/**
 * Praise and blame that can be taken out of a sentence and leave it whole: the article before it and
 * the letter after it are its first two groups.
 */
export const removablePraise =
  /(?:\b(an?) )?\b(?:truly |really |very |simply |absolutely )?(?:amazing|fantastic|incredible|unbeatable|stunning|gorgeous|breathtaking|spectacular|magnificent|superb|fabulous|awesome|marvell?ous|exquisite|phenomenal|outstanding|beautiful|wonderful|excellent|terrific|world-class|unparalleled|unrivall?ed|terrible|awful|horrible|dreadful|luxurious|lovely|charming|idyllic) (?=([a-z]))|^(?:unfortunately|luckily|fortunately|sadly|happily|thankfully|obviously|undoubtedly|honestly),? /gi;

function forbidden(rule: ContentRule, source: string): ForbiddenPattern {
  return { rule, pattern: new RegExp(source, "giu") };
}
