/** A state that a question counts or lists things by. */
export type State =
  | "running"
  | "notRunning"
  | "ready"
  | "notReady"
  | "pending"
  | "failed"
  | "completed"
  | "notCompleted"
  | "oomKilled"
  | "evicted"
  | "terminating"
  | "restarted"
  | "empty"
  | "suspended"
  | "cordoned"
  | "bound"
  | "notBound"
  | "broken"
  | "withoutLimits"
  | "withoutRequests"
  | "withoutProbes"
  | "atMaximum";

const no =
  "\\b(?:no|without|lacks?|lacking|miss|misses|missing|not have|don't have|doesn't have|not set|don't set|doesn't set) (?:any |an? )?(?:memory |cpu |resource |readiness |liveness |startup )?";
/** The first that fits stands: what is denied before what is said. */
const table: readonly (readonly [RegExp, State])[] = [
  [new RegExp(`${no}limits?\\b`, "i"), "withoutLimits"],
  [new RegExp(`${no}requests?\\b`, "i"), "withoutRequests"],
  [new RegExp(`${no}probes?\\b`, "i"), "withoutProbes"],
  [/(?:\bnot\s|n't\s|\bnon-?\s?)(?:\w+ )?running\b/i, "notRunning"],
  [/(?:\bnot|n't)\s(?:\w+ )?(?:ready|available)\b|\bun(?:ready|available)\b/i, "notReady"],
  [/(?:\bnot|n't)\s(?:\w+ )?bound\b|\bunbound\b/i, "notBound"],
  [
    /(?:\bnot|n't)\s(?:\w+ )?(?:healthy|ok|okay|fine|working|well)\b|\bun(?:healthy)\b|\b(?:broken|failing|crash\w*|crashloop\w*|down|wrong|in trouble|problems?|issues?|errors?|misbehaving)\b/i,
    "broken",
  ],
  [/\bscaled (?:down )?to (?:0|zero)\b|\b(?:0|zero|no) replicas\b/i, "empty"],
  [/\bpending\b|\bunscheduled\b|\bunschedulable pods?\b|\bwaiting for a node\b/i, "pending"],
  [/\bevicted\b/i, "evicted"],
  [/\boom|\bout of memory\b/i, "oomKilled"],
  [/\bterminating\b|\bbeing deleted\b/i, "terminating"],
  [/\bcordoned\b|\bunschedulable\b|\bdrained\b|\bscheduling disabled\b/i, "cordoned"],
  [/\bsuspended\b|\bpaused\b/i, "suspended"],
  [/\bat (?:its |their |the )?max(?:imum)?\b|\bmaxed\b/i, "atMaximum"],
  [
    /(?:\bnot|\bnever|n't)\s(?:yet )?(?:completed?|succeed(?:ed)?|finish(?:ed)?|done|(?:go|gone) through)\b|\bunfinished\b/i,
    "notCompleted",
  ],
  [/\bfail(?:ed|s)?\b|\berror state\b/i, "failed"],
  [
    /\bcompleted?\b|\bsucceed(?:ed|s)?\b|\bsuccessful(?:ly)?\b|\bfinish(?:ed)?\b|\bdone\b|\b(?:go|goes|went|gone|got) through\b|\bmade it\b/i,
    "completed",
  ],
  [/\brestart(?:ed|s|ing)?\b/i, "restarted"],
  [/\bbound\b/i, "bound"],
  [/\bready\b|\bhealthy\b|\bavailable\b/i, "ready"],
  [/\brun(?:s|ning)?\b|\bup\b|\bactive\b/i, "running"],
];

/** The state that a question asks for, when it counts or lists. */
export function stateIn(query: string): State | undefined {
  return table.find(([form]) => form.test(query))?.[1];
}
