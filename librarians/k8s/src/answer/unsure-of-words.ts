import { createPhrases } from "@constellation/nlu";
import type { KindName } from "../cluster/kinds.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { plurals, unread } from "../fields/unread.js";
import type { Investigation } from "../investigation.js";
import { readClaims } from "../question/claims.js";
import { phrases, questionWords } from "../question/question-words.js";

const neededFor = questionWords.needed.map(
  ([words, kinds]) => [createPhrases(words), kinds] as const,
);

/** Words for what runs on a node. */
const onNode = phrases("unsure-of-words.onNode");

/** Words for addresses, which only Services, Ingresses and Gateways have. */
const addresses = /\b(?:external|address|addresses|load ?balancers?|hostnames?|ips?)\b/i;
const entries = ["Service", "Ingress", "Gateway"] as const satisfies readonly KindName[];

/** Explains that objects which the question's words ask about were not read. Undefined when they were. */
export function explainUnreadWords({ question, view, objects }: Investigation): string | undefined {
  // An object that is known only from its events was not read.
  const own = new Set(objects.filter((one) => !isTrace(one)).map(({ kind }) => kind));
  const isOnNode = own.size === 1 && own.has("Node") && onNode.test(question.query);
  if (isOnNode && unread(["Pod"], view)) return "the pods that run there were not read";
  const isAddress = addresses.test(question.query) && !entries.some((kind) => own.has(kind));
  if (isAddress && unread(entries, view))
    return `${plurals(entries)} were not read; they hold the addresses`;
  // "Is web allowed to reach api?" asks for policies of the network, and not for rights.
  const { reach } = readClaims(question.query);
  for (const [pattern, kinds] of neededFor) {
    if (reach && kinds.includes("RoleBinding")) continue;
    if (!pattern.test(question.query) || kinds.some((kind) => own.has(kind))) continue;
    if (unread(kinds, view)) return `${plurals(kinds)} were not read; the question is about them`;
  }
  return undefined;
}
