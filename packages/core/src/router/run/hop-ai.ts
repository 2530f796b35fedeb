import type { AIClient } from "../../contract/ai-client.js";
import { callerEnded } from "./errors.js";
import type { Call, Hop } from "./model.js";
import { withoutSecrets } from "./secrets.js";
import { withinBudget } from "./within-budget.js";

/** The run's model, within what a hop may spend, for a call that is made for it. */
export function aiOf(hop: Hop, call: Call): AIClient | undefined {
  const { ai, observer, secrets } = hop.run;
  if (ai === undefined) return undefined;
  const problem = () => (call.state === "pending" ? undefined : callerEnded(hop.to));
  const bounded = hop.ledger === undefined ? ai : withinBudget(ai, hop.ledger, problem);
  const observed = observer === undefined ? bounded : observer.modelOf(hop, bounded);
  return secrets === undefined ? observed : withoutSecrets(observed, secrets); // before it is recorded
}
