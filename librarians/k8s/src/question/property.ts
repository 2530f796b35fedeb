import { reportsFailure } from "./lookup.js";
import { measuresIn } from "./measures.js";

const asks =
  /^\s{0,9}(?:(?:please|pls|and|so) )?(?:(?:on|at|under|to|in|with|from|of|for) (?:which|what)|what|whats|what's|which|how (?:many|much|long|big|often|high)|show|get|tell|give|list|does|do|has|have)\b/i;
/** A field and its object, without a verb: "schedule of the nightly run?" */
const bare =
  /^\s{0,9}(?:the |its |value of )?[\w.-]{1,60}(?:(?: [\w.-]{1,60}){0,3} of| (?:in|for|on)) (?!the last|all\b)\S{1,253}(?: \S{1,253}){0,2}$/i;
/** "LOG_LEVEL", as variables are named. */
const variable = /\b[A-Z][A-Z0-9]{1,60}(?:_[A-Z0-9]{1,60}){1,8}\b/;
/** Words for how something is, which no field has. */
const state =
  /\b(?:happen\w{0,3}|going on|state|status|health|healthy|matter|up with|cause|reason|explain|mean|should|could|ok|okay|fine)\b/i;

/** True for a question that may ask for a field of what it names, by the field's own name. */
export function asksProperty(query: string): boolean {
  return (
    (asks.test(query) || bare.test(query) || variable.test(query)) &&
    !state.test(query) &&
    !reportsFailure(query) &&
    measuresIn(query).length === 0
  );
}
