import { keysIn } from "./field-keys.js";
import { asksRun } from "./run-words.js";

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
  | "owner"
  | "expiry"
  | "run"
  | "backend"
  | "policy"
  | "issuer"
  | "version"
  | "image"
  | "command";

const place = /\b(?:run|running|runs|scheduled|placed|land|live)\b/i;
const asked = /\b(?:which|what|show|list|get|tell|does|has|have|do)\b/i;

/** Words that must all are in a question, for each way to ask for a property. */
const table: readonly (readonly [Field, ...RegExp[]])[] = [
  [
    "node",
    /\b(?:which|what) (?:nodes?|machines?|hosts?)\b(?! (?:(?:are|is) )?(?:in|of|with|without|from|at|have|has)\b)/i,
    /\b(?:is|are|does|do|did|runs?|hosts?)\b/i,
  ],
  ["node", /\bwhere (?:is|are|does|do|did)\b/i, place],
  ["node", /\bnode of\b/i],
  [
    "resources",
    /\b(?:memory|mem|cpu|resources?|ram)\b/i,
    /\b(?:limits?|requests?|reservations?)\b/i,
    asked,
  ],
  [
    "resources",
    /\bhow much (?:memory|cpu|ram)\b/i,
    /\b(?:may|can|allowed|have|has|get|request|limit)\b/i,
  ],
  ["ports", /\b(?:which|what)\b/i, /\bports?\b/i],
  [
    "backend",
    /\b(?:which|what) (?:services?|backends?|svcs?|pods?|workloads?|apps?)\b/i,
    /\b(?:answers?|serves?|behind|backs?|handles?|receives?)\b/i,
  ],
  ["policy", /\b(?:what|which|who|whom)\b/i, /\b(?:allows?|permits?|lets?)\b/i],
  [
    "policy",
    /\b(?:who|what|which)\b/i,
    /\b(?:can|may|could|allowed to)\b/i,
    /\b(?:reach|connect|talk|call|access)\b/i,
  ],
  ["account", /\b(?:which|what) (?:service ?account|sa)\b/i],
  ["schedule", /\bschedule\b/i, asked],
  ["schedule", /\bhow often\b/i],
  ["schedule", /\bwhen (?:does|do|will)\b/i, /\brun\b/i],
  ["schedule", /\bnext run\b/i],
  ["address", asked, /\b(?:ips?|address|addresses|cluster ?ip|hostnames?|urls?|external name)\b/i],
  ["storage", /\bhow (?:big|large)\b/i],
  [
    "storage",
    /\b(?:which|what|size of|capacity of)\b/i,
    /\b(?:storage ?class|size|capacity|access ?modes?)\b/i,
  ],
  ["age", /\bhow old\b/i],
  ["age", /\b(?:how long|since when)\b/i, /\b(?:run|running|up|exist|existed|there|alive)\b/i],
  ["age", /\b(?:age of|uptime)\b/i],
  ["environment", asked, /\benv(?:ironment)?\b/i, /\b(?:variables?|vars?|env)\b/i],
  ["labels", asked, /\b(?:labels?|selectors?)\b/i],
  ["probes", asked, /\bprobes?\b/i],
  ["strategy", asked, /\bstrategy\b/i],
  ["expiry", /\bexpir|\brenew|\b(?:runs?|ran) out\b/i, /\b(?:when|how long|until|date|days?)\b/i],
  ["expiry", /\bvalid\b/i, /\b(?:until|how long|when)\b/i],
  [
    "version",
    asked,
    /\b(?:kubernetes|k8s|kubelet|kernel|os|operating system|container ?runtime|containerd|cri-o) versions?\b|\bversions? of (?:kubernetes|k8s|the kubelet|kubelet|containerd|the kernel)\b/i,
  ],
  [
    "image",
    /\b(?:which|what|show|list|get)\b/i,
    /\b(?:images?|(?<!kubernetes )versions?|tags?|releases?|builds?)\b/i,
  ],
  ["owner", /\bwho (?:owns|controls|manages|created)\b/i],
  ["issuer", asked, /\bissuers?\b/i, /\b(?:use|uses|using|has|have|issued|signed|for|of)\b/i],
  ["issuer", /\bwho (?:issued|signed|issues|signs)\b/i],
  ["owner", /\b(?:owners? of|what (?:owns|controls))\b/i],
];

const beginning =
  /^\s{0,9}(?:please )?(?:on |in |at |under |with )?(?:what|whats|which|where|wheres|how|when|who|show|list|get|give|tell|print|since|does|has)\b/i;
/** What a container runs: whatever it is asked for, that is in it. */
const command = /\b(?:args|arguments?|command(?: line)?|entrypoint)\b/i;
const denial = /\b(?:not|never|no|none|without)\b|n't\b/i;

/** Fields of the API that a question asks for by their names, where it asks for no other property. */
export function namedFieldsIn(query: string): readonly string[] {
  return !beginning.test(query) || denial.test(query) || fieldsIn(query).length > 0
    ? []
    : keysIn(query);
}

/** Properties that a question asks for. Empty for one about anything else. */
export function fieldsIn(query: string): readonly Field[] {
  if (command.test(query)) return ["command"];
  if (!beginning.test(query) || denial.test(query)) return [];
  const found = table.flatMap(([field, ...patterns]) =>
    patterns.every((pattern) => pattern.test(query)) ? [field] : [],
  );
  // A node's versions are not those of an image.
  const isOfNode = found.includes("version");
  if (isOfNode) return found.filter((field) => field !== "image");
  // "When does it run next?" asks for a schedule, "how long has it been up" for an age.
  return found.length === 0 && asksRun(query) ? ["run"] : [...new Set(found)];
}
