import { isAuxiliary, isCommonWord, isFunctionWord, isTellingVerb } from "@constellation/nlu";
import { conditionsIn } from "./condition-words.js";
import { keysIn, spokenKeys } from "./field-keys.js";
import { kindsIn } from "./kind-words.js";
import { asksRun } from "./run-words.js";
import { ignoredWords, toWords } from "./words.js";

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
  ["schedule", /\bhow often\b/i],
  ["schedule", /\bwhen (?:does|do|will)\b/i, /\brun\b/i],
  ["schedule", /\bnext run\b/i],
  ["storage", /\bhow (?:big|large)\b/i],
  [
    "storage",
    /\b(?:which|what|size of|capacity of)\b/i,
    /\b(?:storage ?class|size|capacity|access ?modes?)\b/i,
  ],
  ["age", /\bhow old\b/i],
  ["age", /\b(?:how long|since when)\b/i, /\b(?:run|running|up|exist|existed|there|alive)\b/i],
  ["age", /\b(?:age of|uptime)\b/i],
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

/**
 * Nouns for a property, which ask for it alone: "size of data-0", "image and port of web". Those of a question, too, where
 * nothing else has the word.
 */
const nouns: readonly {
  readonly field: Field;
  readonly words: string;
  readonly isPlain?: boolean;
}[] = [
  { field: "node", words: "node,host node" },
  {
    field: "resources",
    words: "resources,resource,limit,request,memory limit,cpu limit,memory request,cpu request",
  },
  { field: "ports", words: "port" },
  { field: "account", words: "service account,sa" },
  { field: "schedule", words: "schedule,cron expression", isPlain: true },
  {
    field: "address",
    words: "ip,address,addresse,cluster ip,hostname,url,external name",
    isPlain: true,
  },
  { field: "address", words: "host,domain" },
  { field: "storage", words: "size,capacity,storage,storage class,class,access mode" },
  { field: "age", words: "age,uptime" },
  { field: "environment", words: "env var,env variable,environment variable,env", isPlain: true },
  { field: "environment", words: "environment" },
  { field: "labels", words: "label,selector", isPlain: true },
  { field: "probes", words: "probe", isPlain: true },
  { field: "strategy", words: "strategy", isPlain: true },
  { field: "owner", words: "owner" },
  { field: "expiry", words: "expiry,expiration,expiry date" },
  { field: "image", words: "image,tag,version" },
  { field: "issuer", words: "issuer" },
];

function padded(query: string): string {
  return ` ${query
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()} `;
}

/** Words of a text that are nouns of properties, and the properties. */
function nounsIn(query: string, isPlain: boolean) {
  const text = padded(query);
  return nouns.flatMap(({ field, words, isPlain: own = false }) =>
    isPlain && !own
      ? []
      : words
          .split(",")
          .filter((word) => text.includes(` ${word} `) || text.includes(` ${word}s `))
          .map((word) => ({ field, word })),
  );
}

/** Words behind which stands what has a property. */
const joints: ReadonlySet<string> = new Set(["of", "on", "in", "for", "from", "at"]);
/** Words of a sentence or a count, which is no phrase. */
const others: ReadonlySet<string> = new Set(["many", "which", "what", "who", "why", "how"]);
/** Maximum number of words of a phrase, and of those that may be names. */
const maxPhrase = 14;
const maxNames = 2;

/**
 * Properties and keys that a phrase without a verb asks for: every word is one of grammar, a kind, a property, or the
 * name of what has it. Empty for a sentence.
 */
function phraseIn(query: string): {
  readonly fields: readonly Field[];
  readonly keys: readonly string[];
} {
  const none = { fields: [], keys: [] };
  const words = toWords(query.toLowerCase());
  const isOther =
    words.length > maxPhrase ||
    words.some((word) => others.has(word) || word.startsWith("annotation"));
  if (isOther) return none;
  const found = nounsIn(query, false);
  const keys = keysIn(query);
  if (found.length + keys.length === 0) return none;
  const kinds = new Set(kindsIn(query).flatMap(({ text }) => text.split(" ")));
  const own = new Set(
    ["init", ...found.flatMap(({ word }) => word.split(" ")), ...spokenKeys(keys)].flatMap(
      (word) => [word, `${word}s`],
    ),
  );
  const isKnown = (word: string | undefined) =>
    word !== undefined && (own.has(word) || kinds.has(word));
  const unknown = words.flatMap((word, at) =>
    isKnown(word) || (isFunctionWord(word) && !isAuxiliary(word)) || isTellingVerb(word)
      ? []
      : [{ word, at }],
  );
  const isName = ({ word, at }: { readonly word: string; readonly at: number }) => {
    if (isAuxiliary(word) || ignoredWords.has(word)) return false;
    const [before, after] = [words[at - 1], words[at + 1]];
    if (/[-._/0-9]/.test(word) || joints.has(before ?? "")) return true;
    const isBehindJoint = joints.has(words[at - 2] ?? "") && isFunctionWord(before ?? "");
    return isBehindJoint || ((isKnown(before) || isKnown(after)) && !isCommonWord(word));
  };
  if (unknown.length > maxNames || !unknown.every(isName)) return none;
  // A kind that is the first word is what is asked about: "node n1".
  const fields = found
    .filter(({ word }) => !kinds.has(word) || padded(query).includes(` ${word} of `))
    .map(({ field }) => field);
  const rest = words.filter((word) => !isKnown(word)).join(" ");
  if (conditionsIn(rest).size > 0) return none;
  return { fields: [...new Set(fields)], keys };
}

const beginning =
  /^\s{0,9}(?:please )?(?:on |in |at |under |with )?(?:what|whats|which|where|wheres|how|when|who|show|list|get|give|tell|print|since|does|has)\b/i;
/** What a container runs: whatever it is asked for, that is in it. */
const command = /\b(?:args|arguments?|command(?: line)?|entrypoint)\b/i;
const denial = /\b(?:not|never|no|none|without)\b|n't\b/i;

/** Fields of the API that a question asks for by their names, where it asks for no other property. */
export function namedFieldsIn(query: string): readonly string[] {
  if (denial.test(query)) return [];
  const phrase = phraseIn(query);
  if (phrase.keys.length > 0) return phrase.keys;
  return !beginning.test(query) || fieldsIn(query).length > 0 ? [] : keysIn(query);
}

/** Properties that a question asks for. Empty for one about anything else. */
export function fieldsIn(query: string): readonly Field[] {
  if (command.test(query)) return ["command"];
  if (denial.test(query)) return [];
  const { fields } = phraseIn(query);
  if (fields.length > 0) return fields;
  if (!beginning.test(query)) return [];
  const found = [
    ...table.flatMap(([field, ...patterns]) =>
      patterns.every((pattern) => pattern.test(query)) ? [field] : [],
    ),
    ...(asked.test(query) ? nounsIn(query, true).map(({ field }) => field) : []),
  ];
  // A node's versions are not those of an image.
  const isOfNode = found.includes("version");
  if (isOfNode) return found.filter((field) => field !== "image");
  // "When does it run next?" asks for a schedule, "how long has it been up" for an age.
  return found.length === 0 && asksRun(query) ? ["run"] : [...new Set(found)];
}
