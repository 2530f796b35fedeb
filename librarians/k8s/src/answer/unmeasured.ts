import type { Investigation } from "../investigation.js";
import { asksLogs, measuresIn } from "../question/measures.js";

/**
 * Explains why a question about measurements or logs cannot be answered with "Healthy": the state of objects
 * shows neither.
 */
export function unmeasured({ question, view, withLogs }: Investigation): string | undefined {
  const lacking = measuresIn(question.query).filter(
    ({ isUsage }) => !isUsage || view.usage.length === 0,
  );
  if (lacking.length > 0)
    return `its state shows no failure, but ${lacking.map(({ name }) => name).join(" and ")} was not read (see ${lacking.map(({ metric }) => metric).join(", ")})`;
  return asksLogs(question.query) && !withLogs
    ? "its state shows no failure, and its logs, which would show errors, were not read"
    : undefined;
}
