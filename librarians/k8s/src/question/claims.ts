/** What a question takes for granted, as far as it decides what must be read before it is denied. */
export interface Claims {
  /** That calls to or from something fail: policies, services and logs bear on it. */
  readonly calls: boolean;
  /** That names are not resolved. */
  readonly names: boolean;
  /** That something fails in a way that the state of objects does not show, only a log. */
  readonly behaviour: boolean;
}

const calls =
  /\b(?:calls?|calling|called|connect\w*|disconnect\w*|talk(?:s|ing)? to|communicat\w*|reach\w*|unreachable|requests? (?:to|from)|access(?:ing)? to|cannot access|can't access|refused|resets?|time[ds]? ?outs?|timeouts?|40[134]|50[0234]|5xx|latency|traffic|gateway errors?|access denied)\b/i;
const names =
  /\b(?:dns|resolv\w*|resolution|no such host|nxdomain|servfail|enotfound|name lookups?|unknown ?host)\b/i;
/** What the state of objects shows, and so can deny. */
const state =
  /\b(?:down|up|crash\w*|restart\w*|loop\w*|pending|ready|unready|running|unavailable|available|schedul\w*|evict\w*|oom\w*|killed|dead|died|missing|gone|healthy|unhealthy|ok|okay|bound|scal\w*|replicas?|pods?|pull\w*|images?|mount\w*|volumes?|stuck|terminat\w*|delet\w*|suspend\w*|complete\w*|finish\w*|rollout|roll\w*|nodes?|certificates?|tls)\b/i;
/** An open question, which takes nothing for granted. */
const open =
  /^\s*(?:is|are|does|do|did|was|were|what|which|any|anything|everything|something|all|has|have|can|could|how (?:is|are|many|much)|show|list|get|give|tell|check|status|overview|who|when|where)\b/i;

/** True for a question that leaves open whether anything fails. */
export function isOpenQuestion(query: string): boolean {
  return open.test(query);
}

/** Reads what a question takes for granted. */
export function claimsOf(query: string): Claims {
  const isClaim = !open.test(query);
  return {
    calls: isClaim && calls.test(query),
    names: isClaim && names.test(query),
    behaviour: isClaim && !state.test(query),
  };
}
