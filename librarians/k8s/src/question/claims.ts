/** Assumptions of a question that decide what must be read before they can be refuted. */
export interface Claims {
  /** Calls to or from something fail. Policies, services and logs are evidence. */
  readonly calls: boolean;
  /** Names are not resolved. */
  readonly names: boolean;
  /** It asks whether one object can reach another, which policies and services decide, not a log. */
  readonly reach: boolean;
  /** It asks whether one object can reach another, and assumes that the call is blocked. */
  readonly keeps: boolean;
  /** Something fails in a way that only a log shows, not the state of objects. */
  readonly behaviour: boolean;
}

const calls =
  /\b(?:connect|disconnect|communicat|reach|unreachable|timeout)|\b(?:call|calls|calling|called|talk to|talks to|talking to|request to|requests to|requests from|accessing|cannot access|can't access|refused|reset|resets|times out|timed out|time out|40[134]|50[0234]|5xx|latency|traffic|gateway error|access denied|returns|responds|replies|answers with|rejects|(?:not|n't|never|nothing|no) (?:answer|answers|answering|respond|responds|responding|load|loads|loading|reply|replies|serve|serves))\b/i;
const names =
  /\b(?:resolv|unknown ?host)|\b(?:dns|resolution|no such host|nxdomain|servfail|enotfound|name lookup|name lookups|look up (?:\w{1,20} ){0,2}(?:host ?)?names?)\b/i;
/** What the state of objects shows, and so can deny: beginnings of words, and whole ones. */
const stateStems =
  /\b(?:crash|restart|loop|schedul|evict|oom|scal|pull|mount|terminat|delet|suspend|complet|finish|roll|image|volume|replica|certificate)/i;
const stateWords =
  /\b(?:down|up|pending|ready|unready|running|unavailable|available|killed|dead|died|missing|gone|healthy|unhealthy|ok|okay|bound|pods?|stuck|nodes?|tls)\b/i;
/** An open question, which takes nothing for granted. */
const open =
  /^\s*(?:is|are|does|do|did|was|were|what|which|any|anything|everything|something|all|has|have|can|could|how (?:is|are|many|much)|show|list|get|give|tell|check|status|overview|who|when|where)\b/i;

/** "Can web reach the api?", "is web allowed to talk to api?" */
/** "Does a policy keep web from reaching api?" */
const keeps =
  /\b(?:stop|stops|prevent|prevents|block|blocks|blocked|keep|keeps|forbid|forbids|hinder|hinders)\b/i;
const lets = /\b(?:allow|allows|allowed)\b/i;
const travels = /\b(?:reach|connect|talk|access|call|traffic|communicat)/i;
const reach =
  /^\s{0,9}(?:can|could|may|is|are|does|do|should)\b.{1,300}\b(?:reach|connect|talk|access|call|get to|communicate)\b/i;

/** True for a question that leaves open whether anything fails. */
export function isOpenQuestion(query: string): boolean {
  return open.test(query);
}

/** Reads the assumptions of a question. */
export function readClaims(query: string): Claims {
  const isClaim = !open.test(query);
  return {
    reach:
      reach.test(query) ||
      (open.test(query) && (keeps.test(query) || lets.test(query)) && travels.test(query)),
    keeps: keeps.test(query),
    calls: isClaim && calls.test(query),
    names: isClaim && names.test(query),
    behaviour: isClaim && !stateStems.test(query) && !stateWords.test(query),
  };
}
