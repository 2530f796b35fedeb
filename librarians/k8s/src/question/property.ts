import { reportsFailure } from "./lookup.js";
import { measuresIn } from "./measures.js";

const asks =
  /^\s{0,9}(?:(?:please|pls|and|so) )?(?:(?:on|at|under|to|in|with|from|of|for) (?:which|what)|what|whats|what's|which|how (?:many|much|long|big|often|high)|show|get|tell|give|list|does|do|has|have)\b/i;
/** Words for how something is, which no field has. */
const state =
  /\b(?:happen\w{0,3}|going on|state|status|health|healthy|matter|up with|cause|reason|explain|mean|should|could|ok|okay|fine)\b/i;

/** True for a question that may ask for a field of what it names, by the field's own name. */
export function asksProperty(query: string): boolean {
  return (
    asks.test(query) &&
    !state.test(query) &&
    !reportsFailure(query) &&
    measuresIn(query).length === 0
  );
}
