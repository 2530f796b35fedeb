import { parseLookups } from "./asked.js";
import { isInDomain } from "./domain.js";
import { polarIn } from "./polar.js";
import type { Question } from "./question.js";
import { findRefusal } from "./request.js";

/** What the tables of kinds, fields, states and conditions see in a question: features beside its words. */
export function readHints(question: Question): readonly string[] {
  const { query, kinds, signals } = question;
  const refusal = findRefusal(query);
  const { lookups, mayBeField } = parseLookups(question);
  const polar = polarIn(query);
  return [
    ...(refusal === undefined ? [] : [`refusal ${refusal}`]),
    ...lookups.map(({ lookup }) => `lookup ${lookup}`),
    ...(lookups.length === 0 ? ["no lookup"] : []),
    ...(mayBeField ? ["field"] : []),
    ...(polar === undefined ? [] : [polar.isAny ? "polar any" : "polar"]),
    ...(question.isHowTo ? ["how to"] : []),
    ...(isInDomain(question) ? ["in domain"] : []),
    ...(question.isAboutFailure ? ["failure"] : []),
    ...(signals.size > 0 ? ["condition"] : []),
    ...(kinds.length > 0 ? ["kind"] : []),
    ...(kinds.some(({ isPlural }) => isPlural) ? ["kinds"] : []),
    ...(question.history ? ["past"] : []),
  ];
}
