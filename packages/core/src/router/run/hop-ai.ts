import type { AIClient } from "../../contract/ai-client.js";
import { callerEnded } from "./errors.js";
import { isAwaited } from "./hop.js";
import { withKnownUsage } from "./known-usage.js";
import type { Call, Hop } from "./model.js";
import { withoutSecrets } from "./secrets.js";
import { withinBudget } from "./within-budget.js";

/** The run's model, within what a hop may spend, for a call that is made for it. */
export function aiOf(hop: Hop, call: Call): AIClient | undefined {
  const { ai, observer, secrets, journal } = hop.run;
  if (ai === undefined) return undefined;
  const problem = () => {
    if (hop.extras?.waiting !== undefined) return hop.extras.waiting;
    const isUnderWay = call.state === "pending" || (call === hop && isAwaited(hop));
    return isUnderWay ? undefined : callerEnded(hop.to);
  };
  const known = withKnownUsage(ai);
  const recorded = journal === undefined ? known : journal.modelOf(hop, known);
  const bounded = withinBudget(recorded, hop.ledger, problem);
  const observed = observer === undefined ? bounded : observer.modelOf(hop, bounded);
  return secrets === undefined ? observed : withoutSecrets(observed, secrets); // before it is recorded
}
