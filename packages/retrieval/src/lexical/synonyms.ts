import type { Analyzer } from "./analyzer.js";

/**
 * Words that manuals and their readers use for the same thing, groups apart by semicolons; a word may be in several.
 * General English and the vocabulary of computing at large: no names of products.
 */
const groups = `
abort cancel interrupt stop; account user; add append insert attach include; admin administrator root superuser;
alert alarm warning notification; allow permit enable accept let; alternative instead replacement; application
app; archive tarball bundle zip; argument arg parameter param option; array list; asynchronous async; attach
bind associate assign; attack exploit vulnerability; auth authentication authorization; authorize authorization
permission access; automatic auto; backup snapshot save; balance balancer distribute; balancer balance; beta
prerelease alpha preview; body payload content data; browser frontend; buffer queue; bug defect issue; bundle
pack package; cache cached stored; certificate cert tls ssl ca; change modify edit alter update adjust customize
override; check verify validate test inspect; child nested; client consumer; cluster fleet; color colour;
combine compose merge; command cli shell terminal; comment remark annotation note; compare diff difference;
compatible compatibility support; compress compression gzip zip; concurrency parallel simultaneous; connect
connection socket link; connection socket channel; console terminal stdout; contain include; container docker;
contributor collaborator maintainer; convert transform translate format; cookie session; copy duplicate clone
replicate; cost overhead price expensive; count number amount; cpu processor core; crash exit die; create make
generate produce build new; custom own; dashboard graph chart; database db; date time timestamp; debug
troubleshoot diagnose inspect; decode deserialize parse; decrease reduce lower; default standard builtin; delete
remove erase drop discard purge clear wipe clean destroy prune unset; deny forbid block reject refuse disallow;
dependency package library; deploy deployment rollout; deprecate deprecated obsolete outdated legacy old;
destination sink output; development dev; disable off deactivate skip; disconnect close; disk storage
filesystem; documentation manual guide; downgrade rollback revert older; download fetch pull get; duplicate
twice double; empty blank null missing; enable on activate; encode encoding; encoding charset; encrypt
encryption tls; endpoint url address route; enforce strict force require; ensure guarantee; environment env
variable; error exception fault problem issue; event signal notification; example sample usage; exclude omit
leave; expire expiry expiration ttl lifetime age; extend inherit; extension plugin; fail failure error broken
crash break; fake mock stub dummy simulate; fallback backup alternative; fast quick speed performance efficient;
field property key attribute column; file document; filter select match; find search lookup locate query
discover; firewall block; fix repair resolve correct solve remedy; flag option switch argument; flush sync
drain; folder directory dir; format layout style; forward proxy relay redirect; get fetch retrieve obtain read
load; group collection set; grow increase enlarge extend; handler callback listener; hang stuck freeze block;
hash checksum integrity digest fingerprint; header metadata; health healthy liveness; hide redact mask censor
conceal omit; hook callback handler lifecycle listener; host machine hostname server; ignore exclude skip;
import load; incoming inbound ingress; increase raise higher; initialize init bootstrap; install setup add;
integrity checksum; internal private; interval period every; invalid wrong incorrect illegal; javascript js; job
task; join merge concat; key name field; kubernetes k8s; latest newest recent current last; level severity
verbosity; library module package; license licence; limit maximum max cap restrict; log logging line record
message; login authenticate authentication signin auth; lose lost loss drop vanish missing; malformed invalid
corrupt broken; manifest package; manual guide documentation; maximum max limit largest; memory ram heap; merge
combine join unite; message text; metric statistic measure stats; middleware interceptor plugin; migrate
migration upgrade move switch; minimum min least lowest; missing absent lack unknown; monitor observe watch
track; move rename transfer migrate; nested inner child; network networking; node host; notify notification
alert warn; oauth oidc sso login; object json; often frequency interval; optional voluntary; order sequence
precedence priority; organization company org; origin source; outdated old stale; outgoing outbound egress;
owner maintainer author; package module library dependency; parallel concurrent concurrency simultaneous; parse
read split; password secret credential passphrase; path location route directory; pattern glob wildcard; pause
suspend stop hold; payload body data; pending waiting queue; performance benchmark cost overhead; permission
right access allow privilege role; picture image; pipe stream; plugin extension addon module; pool pooling; port
socket; prevent avoid forbid block; process worker; production prod; project repository workspace; proxy
gateway; publish release ship deploy upload; queue buffer pending backlog; quiet silent mute suppress less;
random jitter; rate frequency throughput; rbac permission role; reachable ping health connectivity; readable
pretty human; receive get accept; record entry line; recover restore resume; redirect forward follow; regex
pattern expression; reject refuse deny; rename name alias; repeat loop recur; replace substitute swap; replica
copy; repository repo; request call query; require need mandatory required; response answer reply result;
restart reload reboot; restore recover; restrict limit only; resume continue; retention retain keep; retry again
repeat reattempt; return answer reply; revoke invalidate withdraw; rotate rotation rollover; save store write;
schedule cron; schema shape structure; scope namespace; scrape collect gather poll; script hook command; secret
credential token password; secure safe security; security vulnerability secure; select choose pick; send
transmit post submit emit; separate different distinct; serialize stringify encode json; server backend host;
session login; set configure define specify assign; setting config configuration option preference parameter
configure; several multiple; shell terminal console bash; show display print list view output render; shrink
reduce smaller minimize; sign signature; single individual; size length large big; skip ignore exclude omit;
slow performance latency; sort order; split divide separate partition; start launch run begin boot execute;
statistic stats count; stop end terminate shutdown quit exit halt kill close; store save persist keep write;
stream pipe; support compatible; sync synchronize reconcile; synchronous sync blocking; tag label; target
destination; team group organization; template boilerplate scaffold; temporary temp tmp; thread worker process;
throttle rate limit; time timestamp clock date; timeout deadline expire; timezone zone; tls ssl https
certificate; token credential auth; trace tracing span; transform map convert modify; tree hierarchy graph;
tutorial quickstart guide walkthrough; type kind; undo revert rollback restore withdraw; uninstall remove;
unique distinct; unreachable offline down; upgrade update bump raise newer; upload push send post; url link
address uri; user account; value content; vanish disappear lost missing; variable env; verbose verbosity debug
detailed; vulnerability hole advisory security; wait delay pause sleep defer; warn warning; watch observe
follow; whole entire complete full; withdraw unpublish revoke retract; worker thread; workspace monorepo
`;

/** Synonyms by term, both as an analyzer writes them. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

/** Cache of the last result: most analyzers write the same terms. */
let last: { readonly analyzer: string; readonly synonyms: Synonyms } | undefined;

/** The synonyms of everyday computing as the terms of an analyzer. */
export function synonymsFor(analyzer: Analyzer): Synonyms {
  if (last?.analyzer !== analyzer.id) last = { analyzer: analyzer.id, synonyms: read(analyzer) };
  return last.synonyms;
}

function read(analyzer: Analyzer): Synonyms {
  const found = new Map<string, Set<string>>();
  for (const group of groups.split(";")) {
    const terms = analyzer.terms(group).map(({ text }) => text);
    for (const term of terms) {
      const others = found.get(term) ?? new Set();
      for (const other of terms) if (other !== term) others.add(other);
      found.set(term, others);
    }
  }
  return new Map([...found].map(([term, others]) => [term, [...others]]));
}
