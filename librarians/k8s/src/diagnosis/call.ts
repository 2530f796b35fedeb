/** How a call of a program to something else failed, as its log says it. */
export type CallFailure = "refused" | "name" | "timeout" | "reset" | "tls" | "auth" | "missing";

/** A failed call that a line of a log reports. */
export interface FailedCall {
  readonly failure: CallFailure;
  /** Host name or address it was made to, where the line names one. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** Other places that the line names, such as the address behind a name. */
  readonly others?: readonly Place[] | undefined;
}

/** A host, and the port that is behind it. */
export interface Place {
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** Wordings of common clients, the most specific first. */
const failures: readonly (readonly [RegExp, CallFailure])[] = [
  [/\b(?:cannot|can't|failed to) resolve|\bresolution failed|\bno resolvable/i, "name"],
  [
    /no such host|unknownhost|name or service not known|nodename nor servname|enotfound|eai_again|temporary failure in name resolution|could not resolve|couldn't resolve|host not found|server misbehaving|servfail|nxdomain|name resolution|\bbad address\b|getaddrinfo|unable to resolve|lookup \S{1,253}(?: on \S{1,60})?:/i,
    "name",
  ],
  [
    /password authentication failed|access denied for user|noauth|wrongpass|authentication failed|access_refused|invalid username|login failed|sasl authentication/i,
    "auth",
  ],
  [
    /x509|certificate_verify_failed|pkix path|cert_has_expired|wrong version number|tls handshake|ssl handshake|certificate (?:has expired|is not valid|verify)/i,
    "tls",
  ],
  [
    /no endpoints available for service|connection refused|econnrefused|actively refused|\(111:/i,
    "refused",
  ],
  [
    /i\/o timeout|deadline exceeded|deadlineexceeded|etimedout|connect(?:ion)? timed out|sockettimeout|connecttimeout|timed out|no route to host|ehostunreach|unreachable|timeout/i,
    "timeout",
  ],
  [
    /connection reset|econnreset|socket hang up|prematurely closed|broken pipe|unexpected eof|server closed the connection/i,
    "reset",
  ],
  [
    /unknown database|database "?[\w-]{1,63}"? does not exist|relation "?[\w.-]{1,63}"? does not exist|unknown_topic|no such table/i,
    "missing",
  ],
  [
    /(?:can(?:no|')t|could not|couldn't|unable to|failed to) (?:connect|reach)|no available connection|host\(s\) tried|:\d{1,5} - no response|\bwait(?:ing)? (?:for|on) \S{1,120}:\d/i,
    "refused",
  ],
];

const hostForm =
  "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?){0,7}";
/** Where a line names the host, the surest place first. */
const places: readonly RegExp[] = [
  new RegExp(`[a-z][a-z0-9+.-]{1,20}://(?:[^\\s/@"']{0,200}@)?(${hostForm})(?::(\\d{1,5}))?`, "gi"),
  new RegExp(
    `\\b(?:lookup|getaddrinfo|enotfound|eai_again|unknownhostexception:?|resolve host:?|resolve|upstream|waiting for|wait for|resolve server|host(?: name)?:?|dial tcp|connect(?:ing)? to|econnrefused|reach|server at|tried:) ["'(\`]?(?:enotfound |eai_again )?(${hostForm})["')\`]?(?::(\\d{1,5}))?`,
    "gi",
  ),
  new RegExp(
    `\\bhost(?:name)?(?:=|["']: ?)["'\`]?(${hostForm})(?:["'\`]?,? port=(\\d{1,5}))?`,
    "gi",
  ),
  new RegExp(`\\b(${hostForm}):(\\d{2,5})\\b`, "gi"),
];
/** Words that stand where a host may stand. */
const noHost =
  /^(?:host|hostname|server|the|to|for|on|at|port|address|tcp|udp|error|failed|database|db|a|an|any|name|\d{1,2})$/i;

/** Reads a line of a log as a failed call. Undefined for a line about anything else. */
export function failedCallIn(text: string): FailedCall | undefined {
  const line = text.slice(0, 1_000);
  const failure = failures.find(([pattern]) => pattern.test(line))?.[1];
  if (failure === undefined) return undefined;
  const [first = { host: undefined, port: undefined }, ...others] = placesIn(line);
  return { failure, ...first, others };
}

/** Every host that a text names, the surest place first. */
export function hostsIn(text: string): readonly string[] {
  return placesIn(text.slice(0, 1_000)).flatMap(({ host }) => host ?? []);
}

/** A time, whose hour and minute look like a host and its port. */
const moment = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d/gi;

function placesIn(text: string): readonly Place[] {
  const line = text.replace(moment, " ");
  return places.flatMap((place) =>
    [...line.matchAll(place)].flatMap(([, host = "", port]) => {
      const isNone =
        host === "" || (port === undefined && noHost.test(host)) || /^\d{1,2}$/.test(host);
      return isNone
        ? []
        : [{ host: host.toLowerCase(), port: port === undefined ? undefined : Number(port) }];
    }),
  );
}
