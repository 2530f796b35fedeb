/** A request that is not answered by a diagnosis. */
export type Refusal = "change" | "secret";

/** Words that may be before what is asked for. */
const politeness =
  "(?:(?:please|kindly|now|just|then|go ahead and|can you|could you|would you|will you|i want you to|i need you to|i'd like you to|let's) )*";
const changes =
  "(?:delete|remove|restart|reboot|scale|drain|cordon|uncordon|apply|patch|edit|roll ?back|roll out|undo|kill|evict|exec|create|deploy|redeploy|install|uninstall|upgrade|downgrade|annotate|taint|untaint|set|change|increase|decrease|bump|raise|lower|add|replace|stop|suspend|resume|pause|unpause|trigger|run|terminate|force|purge|wipe|clean|clear|recreate|update|rename|move|expand|resize|rotate|revoke|grant|disable|enable)";
/**
 * A verb in front, with something to change behind it: `restart count`, `drain of n1` and `deploy is stuck`
 * are about a change that another party makes.
 */
const inFront = new RegExp(
  `^${politeness}${changes} (?!counts?\\b|reasons?\\b|events?\\b|polic|history\\b|status\\b|loops?\\b|limits?\\b|problems?\\b|failures?\\b|of\\b|is\\b|was\\b|are\\b|has\\b|does\\b|did\\b|keeps?\\b|hangs?\\b|fail|stuck\\b|never\\b|not\\b|times?\\b|takes\\b|operations?\\b|jobs? (?:is|are|was|fail|hang))\\S`,
  "i",
);
/** An outcome behind a verb in front: `drain node k1 fails`. */
const outcome =
  /\b(?:fails?|failed|hangs?|hung|does(?:n't| not)|did(?:n't| not)|never (?:ends|finishes|completes)|times out|gets? stuck|got stuck|is (?:stuck|denied|refused|blocked|forbidden)|won't|will not)[\s?.!]*$/i;
/** A second clause that asks for a change: `checkout is broken, restart it`. */
const behind = new RegExp(
  `(?:[,;.:]|\\band|\\bthen) ${politeness}${changes} (?:it|them|that|those|this|these|all|every|the)\\b`,
  "i",
);
const isQuestion =
  /^(?:why|what|which|who|when|where|how|is|are|was|were|does|do|did|has|have|should|may)\b/i;

const revealing =
  /^(?:(?:please|can you|could you|would you) )*(?:show|print|get|read|reveal|give|tell|display|dump|list|decode|export|cat|describe|what(?:'s| is| are| was))\b/i;
const secretThing = /\b(?:secrets?|passwords?|credentials?|api[- ]?keys?|private keys?|tokens?)\b/i;
/** Words of a question about how a secret is used, not about what is in it. */
const aboutUse =
  /\b(?:wrong|missing|not found|exist|mount|fail|error|why|expire|referenc|problem|issue|broken|invalid|denied)/i;

/** Maximum number of characters of a query that are looked at. */
const maxLength = 4_000;

/**
 * Whether a query asks for a change, or for what is in a Secret. Neither is possible here, so that is
 * said before anything else.
 */
export function refusalOf(query: string): Refusal | undefined {
  const text = query.trim().slice(0, maxLength);
  if (revealing.test(text) && secretThing.test(text) && !aboutUse.test(text)) return "secret";
  if (inFront.test(text) && !outcome.test(text)) return "change";
  return !isQuestion.test(text) && behind.test(text) ? "change" : undefined;
}
