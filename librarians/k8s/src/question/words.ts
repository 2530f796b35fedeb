/** Maximum length of a word that is looked at: longer than any namespace, kind and name together. */
const maxWordLength = 600;

/**
 * Words of a question, in order. Names keep their dots and dashes; quotes and the like are gone, and so
 * are words of more than 600 characters.
 */
export function toWords(query: string): readonly string[] {
  return (query.replace(/(?<=n)['’](?=t\b)/g, "").match(/[\p{L}\p{N}][\p{L}\p{N}._:/=@-]*/gu) ?? [])
    .filter((word) => word.length <= maxWordLength)
    .map(withoutEnding)
    .filter((word) => word !== "");
}

/** A word without the punctuation of the sentence at its end. */
function withoutEnding(word: string): string {
  let end = word.length;
  while (end > 0 && ".:,/=-".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end).replace(/'s$/i, "");
}

/** True for `LOG_LEVEL`, as variables are named. */
export function isVariable(word: string): boolean {
  return /^[A-Z0-9][A-Z0-9_]*$/.test(word) && word.includes("_");
}

/** Words that are in questions and name nothing. */
export const ignoredWords: ReadonlySet<string> = new Set(
  `a about affected after again all also am an and any anything apply applying are arent as at back be because been before being both broken but by came can
  cannot cant change changed cluster come comes configured connect connection correct correctly could couldnt current currently did didnt do does doesnt doing dont down during
  each effect enough error errors ever every everything exist exists explain fail failed failing failure fails fault fine first for found from get
  gets getting give given go goes going gone good had happen happened happening happens has hasnt have having health healthy help here how i if in
  instead into is isnt issue issues it its itself just keep keeps kept kind know known kubernetes k8s last latest less let like list long look looks lot
  made make many may me mean missing more most much must my name named need needs never new next no none nor not nothing now of off often ok old on
  once one ones only or other our out over own pending people please point points possible problem problems properly protect protects reach reached ready really reason
  recently reference references referenced responding respond restart restarted restarting restarts root route right run running runs said same say see seem seems set should show slow so some
  something stand start started starting starts state status stay still stop stopped stuck such tell than that the their them then there these they
  thing things think this those through time to today together too toward try trying two under unhealthy until up us use used using valid very wait waiting
  want was wasnt way we well went were what whats when where whether which while who whom whose why will with within without wont work working works
  would wouldnt wrong yes yet you your evicted evictions evict crash crashes crashed crashing crashloop crashlooping loop looping oom oomkilled killed pulled pull pulling
  schedule scheduled scheduling unschedulable available unavailable bound unbound mounted mount scale scales scaled scaling suspended suspend block blocks blocked blocking
  budget disruption admission volume volumes claim claims storage image images label labels labelled selector endpoint endpoints probe probes readiness liveness
  memory cpu disk pressure traffic log logs event events namespace hit hits limit limits quota exceeded denied permission permissions forbidden deploy deployed deployment rollout
  degraded serve serving serves served terminated terminating exit exited exiting exits completed complete finish finished lost died dying dead answer answers alive anyone somebody
  hour hours minute minutes day days ago yesterday past since morning night phase phases condition conditions details detail cause caused causes causing
  object objects resource resources workload workloads application applications app apps component components production-like cluster-wide clusterwide cluster-scoped namespace-wide environment config configuration desired expected actual
  uses consumes consume consuming eats eating takes took taken taking belongs belong owns own owned mounts mounting listens listen exposes expose
  exposed behave behaves behaving misbehaving misbehaves suddenly randomly constantly frequently regularly immediately simply actually apparently
  probably maybe perhaps urgent worst biggest highest lowest severe serious important weird strange odd slowly fast quickly empty big bigger smaller
  old older new newer newest oldest speak see seen saw sees noticed investigate analyze analyse diagnose debug troubleshoot tell told thanks thank
  hello hey hi upgrade upgraded update updated rollback rolled expire expires expired expiring renew renewed renews valid invalid success succeed
  succeeded succeeds successful successfully complete completes minute hourly daily weekly nightly tonight evening afternoon noon midnight monday
  tuesday wednesday thursday friday saturday sunday week weeks month months year years everywhere somewhere anywhere nowhere instead already yet
  almost nearly really quite rather nothing anymore except besides regarding concerning per via across among between behind against above below onto
  off respect depends depend depending dependency dependencies rely relies connects connecting connections listening serving returning returns return
  returned replace replaced delete deleted deleting removed remove created create creates edit edited touched modified scaled-down scaled-up
  type types typed tag tags version versions x509 http1 http2 http3 ipv4 ipv6 oauth2 sha1 sha256 sha512 md5 utf8 base64 kubectl helm kustomize terraform`.split(
    /\s+/,
  ),
);
