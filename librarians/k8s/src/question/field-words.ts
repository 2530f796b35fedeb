/** A property of a named object that a question asks for. */
export type Field =
  | "node"
  | "resources"
  | "ports"
  | "account"
  | "schedule"
  | "address"
  | "storage"
  | "age"
  | "environment"
  | "labels"
  | "probes"
  | "strategy"
  | "owner";

const table: readonly (readonly [RegExp, Field])[] = [
  [
    /\b(?:which|what) (?:nodes?|machines?|hosts?) (?:does|do|is|are|did|runs?|hosts?)\b|\bwhere (?:is|are|does|do|did)\b.{0,80}\b(?:run|running|runs|scheduled|placed|land|live)\b|\bnode of\b/i,
    "node",
  ],
  [
    /\b(?:memory|mem|cpu|resource|ram|storage)\b.{0,20}\b(?:limits?|requests?|reservations?)\b|\b(?:limits?|requests?) (?:of|does|do|has|have|for|are|is)\b|\bhow much (?:memory|cpu|ram)\b.{0,80}\b(?:may|can|allowed|have|has|get|request|limit)/i,
    "resources",
  ],
  [/\b(?:which|what)(?: \w{1,20})? ports?\b|\bports? (?:does|do|of|is|are)\b/i, "ports"],
  [/\b(?:which|what) (?:service ?account|sa)\b|\bservice ?account (?:does|of)\b/i, "account"],
  [
    /\b(?:what|which|show)\b.{0,30}\bschedule\b|\bschedule of\b|\bhow often\b|\bwhen (?:does|do|will)\b.{0,80}\brun\b|\bnext run\b/i,
    "schedule",
  ],
  [
    /\b(?:what|which|show|get)\b.{0,60}\b(?:ips?|addresse?s?|cluster ?ip|hostnames?|urls?|external name)\b/i,
    "address",
  ],
  [
    /\bhow (?:big|large)\b|\b(?:size|capacity) of\b|\b(?:which|what) (?:storage ?class|size|capacity|access ?modes?)\b/i,
    "storage",
  ],
  [
    /\bhow old\b|\bhow long\b.{0,80}\b(?:run|running|up|exist|existed|there|alive)\b|\bage of\b|\bsince when\b.{0,80}\b(?:run|running|up|exist|there)\b|\buptime\b/i,
    "age",
  ],
  [
    /\b(?:what|which|show|list)\b.{0,40}\benv(?:ironment)?\b(?: variables?| vars?)?/i,
    "environment",
  ],
  [/\b(?:what|which|show|list)\b.{0,40}\b(?:labels?|selectors?)\b/i, "labels"],
  [/\b(?:what|which|show|does|has)\b.{0,60}\bprobes?\b/i, "probes"],
  [/\b(?:what|which|show)\b.{0,40}\b(?:update |rollout |deployment )?strategy\b/i, "strategy"],
  [/\bwho (?:owns|controls|manages|created)\b|\bowners? of\b|\bwhat (?:owns|controls)\b/i, "owner"],
];

const asks =
  /^\s*(?:please )?(?:on |in |at |under |with )?(?:what|which|where|how|when|who|show|list|get|give|tell|print|since|does|has)\b/i;

/** Properties that a question asks for. Empty for one about anything else. */
export function fieldsIn(query: string): readonly Field[] {
  if (!asks.test(query) || /\b(?:not|never|no|none|without)\b|n't\b/i.test(query)) return [];
  return table.flatMap(([pattern, field]) => (pattern.test(query) ? [field] : []));
}
