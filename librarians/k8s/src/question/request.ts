import { isAsking, readClauses } from "./asking.js";
import { phrases } from "./question-words.js";

/** A request that is not answered by a diagnosis. */
export type Refusal = "change" | "secret";

/** Words that may be before what is asked for. */
const politeness =
  "(?:(?:please|pls|plz|kindly|now|just|then|hey|hi|ok|okay|so|also|quickly|immediately|go ahead and|go and|try to|help (?:me |us )?(?:to )?|can you|could you|would you|will you|(?:i|we) (?:want|need|have|would like|wish)(?: you)? to|(?:i|we)'d like (?:you )?to|i want|i need|you (?:should|must|have to|need to)|(?:we|you) should|let's|let us|(?:do|perform|trigger|start|initiate|execute|run)(?: an?| the)?(?= (?:roll|restart|drain|scale|upgrade|delet)))[, ]+)*";
const changes =
  "(?:delete|del|remove|erase|restart|reboot|bounce|recycle|scale|drain|cordon|uncordon|apply|patch|edit|fix|rollout|rolling(?= (?:restart|update|upgrade|back)\\b)|roll ?back|roll out|revert|undo|kill|evict|exec|attach|port-?forward|create|deploy|redeploy|install|uninstall|upgrade|downgrade|annotate|label|unlabel|taint|untaint|mark|set|unset|change|modify|increase|decrease|reduce|bump|raise|lower|add|replace|swap|stop|suspend|unsuspend|resume|pause|unpause|cancel|abort|approve|trigger|run|terminate|force|purge|wipe|clean(?: up)?|clear|recreate|rebuild|restore|update|rename|move|migrate|reschedule|expand|resize|rotate|revoke|grant|disable|enable|turn (?:on|off)|switch (?:on|off|to)|get rid of|take down|shut down|bring (?:up|back)|free up)";
/** What makes a sentence with such a verb in front one about a change that another party makes. */
const noObject =
  "(?!on\\b|about\\b|counts?\\b|reasons?\\b|events?\\b|polic|history\\b|status\\b|loops?\\b|limits?\\b|problems?\\b|failures?\\b|errors?\\b|of\\b|is\\b|was\\b|are\\b|has\\b|does\\b|did\\b|keeps?\\b|hangs?\\b|fail|stuck\\b|never\\b|not\\b|times?\\b|takes\\b|operations?\\b|jobs? (?:is|are|was|fail|hang))";
/**
 * A verb in front, with something to change behind it: `restart count`, `drain of n1` and `deploy is stuck`
 * are about a change that another party makes.
 */
const inFront = new RegExp(`^${politeness}${changes} ${noObject}\\S`, "i");
/** `make web run with 5 replicas`, `let cart use 1Gi`. */
const making =
  /^(?:(?:please|pls|can you|could you) ){0,4}(?:make|let|have) (?:the |my |our )?\S{1,253} (?:\S{1,30} )?(?:run|use|have|start|stop|restart|scale|take|get|be)\b/i;
/** A command that writes. */
const writing =
  /^(?:(?:please|pls|run|execute|do|can you run|could you run) ){0,4}`?(?:kubectl|oc|helm|istioctl)\b.{0,200}?\b(?:delete|scale|rollout (?:restart|undo|pause|resume)|drain|cordon|uncordon|apply|create|edit|patch|label|annotate|taint|exec|cp|port-forward|set|replace|expose|attach|autoscale|debug|run|install|upgrade|rollback|uninstall)\b(?! (?:of|timed|times|fail|hangs?|says?|said|is|was|does|did|returns?|returned|ended|ends|gives?|gave|errors?|stuck|never|reports?)\b)/i;
/** An outcome behind a verb in front: `drain node k1 fails`. */
const outcome =
  /\b(?:fails?|failed|hangs?|hung|does(?:n't| not)|did(?:n't| not)|never (?:ends|finishes|completes)|times out|gets? stuck|got stuck|is (?:stuck|denied|refused|blocked|forbidden)|won't|will not)[\s?.!]*$/i;
/** A second clause that asks for a change: `checkout is broken, restart it`. */
const behind = new RegExp(
  `(?:[,;.:!]|\\band|\\bthen) ${politeness}${changes} (?:it|them|that|those|this|these|all|every|the)\\b`,
  "i",
);

const revealing =
  /^(?:(?:please|pls|can you|could you|would you|i need|i want|we need) ){0,4}(?:to )?(?:see |know )?(?:show|print|get|read|reveal|give|tell|display|dump|list|decode|export|cat|describe|extract|fetch|send|what(?:'s| is| are| was)|the (?:password|token))\b/i;
const secretThing = phrases("request.secretThing");
/** Words for making what is in a Secret readable. */
const decoding =
  /^(?:(?:please|pls|can you|could you) ){0,4}(?:base64(?: -d)? )?(?:decode|decrypt|unmask)\b|\bin (?:plain|clear) ?text\b/i;

/** Maximum number of characters of a query that are looked at. */
const maxLength = 4_000;

/**
 * Whether a query asks for a change, or for what is in a Secret. Neither is possible here, so that is
 * said before anything else.
 */
export function findRefusal(query: string): Refusal | undefined {
  const whole = query.trim().slice(0, maxLength).replace(/\s+/g, " ");
  const text = asksAfterIntent(whole) ?? whole;
  const isRevealing = decoding.test(text) || revealing.test(text);
  if (isRevealing && secretThing.test(text)) return "secret";
  if ((writing.test(text) && !outcome.test(text)) || making.test(text)) return "change";
  if (inFront.test(text) && !outcome.test(text)) return "change";
  return behind.test(text) ? "change" : undefined;
}

/** "I want to patch n1 tonight. What runs there?" asks for the second, and says the first. */
function asksAfterIntent(text: string): string | undefined {
  const [first, ...others] = readClauses(text);
  if (first === undefined || !/^(?:i|we)\b/i.test(first.text)) return undefined;
  const questions = others.filter(isAsking);
  return questions.length === 0 ? undefined : questions.map(({ body }) => body).join(" ");
}
