/** A regular expression that recheck does not call safe, and why it may stay. */
export interface RegexException {
  /** As it is written in the source. */
  readonly regex: RegExp;
  readonly file: string;
  /** Maximum length of the text it is given, in characters, which the code enforces. */
  readonly maxLength: number;
  /** What keeps the text as short. */
  readonly reason: string;
}

/** A file that makes regular expressions from parts which are not all safe, or not all known as it loads. */
export interface MakerException {
  readonly file: string;
  /** Maximum length of the text they are given, in characters, which the code enforces. None: a time limit ends them. */
  readonly maxLength?: number;
  /** What they are made from, and what keeps the text as short. */
  readonly reason: string;
}

export const regexExceptions: readonly RegexException[] = [
  {
    regex: /^\s{0,9}\$ [^\n]{1,500}/gm,
    file: "packages/nlu/src/spans/find-spans.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text; each run is bounded.",
  },
  {
    regex: /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>()]{1,2000}/gi,
    file: "packages/nlu/src/spans/find-spans.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text; each run is bounded.",
  },
  {
    regex: /["“„]([^"“”„\n]{3,1000})["”“]|(?<=^|[\s(:])['‘]([^'’\n]{3,500})['’](?=$|[\s).,;?!])/g,
    file: "packages/nlu/src/spans/find-spans.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text; each run is bounded.",
  },
  {
    regex: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    file: "packages/nlu/src/spans/find-spans.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text; each run is bounded.",
  },
  {
    regex:
      /(?<![\w.-])(?:~|\.{1,2})?\/(?:[\w.@%+*-]{1,255}\/){0,30}[\w.@%+*-]{1,255}\/?|(?<![\w.-])(?:[\w.-]{1,255}\/){2,30}[\w.-]{0,255}|\b[\w-]{1,100}\.(?:ya?ml|json|md|txt|log|conf|cfg|toml|sh|py|ts|js|go|sql|csv|tf|env)\b/gi,
    file: "packages/nlu/src/spans/find-spans.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text; each run is bounded.",
  },
  {
    regex: /[?!.\s]+$/,
    file: "packages/nlu/src/follow-up.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text.",
  },
  {
    regex: /[.!?\n]\s*$/,
    file: "packages/nlu/src/grammar/find-orders.ts",
    maxLength: 4_003,
    reason: "`readQuestion` cuts the text.",
  },
  {
    regex: /(?:[`"]?[\p{L}_][\p{L}\p{N}_.-]{0,60}[`"]?\s+){1,6}$/u,
    file: "librarians/docs/src/extract/conflict.ts",
    maxLength: 160,
    reason: "The caller cuts to what stands before a verb.",
  },
  {
    regex: /(?:^|\n)[\s>*#-]*$/,
    file: "librarians/docs/src/navigator/patterns/number.ts",
    maxLength: 24,
    reason: "The caller cuts to what stands before a number.",
  },
  {
    regex:
      /(?<![\w/@:-])\.?[a-zA-Z_$][\w$-]{0,80}(?:\[[\w*]{0,20}\])?(?:\.[a-zA-Z_$][\w$-]{0,80}(?:\[[\w*]{0,20}\])?){1,15}(?:\(\))?(?![\w/]|\.?[\w.-]{1,80}\/)/g,
    file: "librarians/docs/src/navigator/patterns/config-key.ts",
    maxLength: 100_000,
    reason: "The limit of an answer; 30 ms at that length.",
  },
  {
    regex:
      /(?<![\w@:/.<>{}$*-])(?:~|\.{1,2})?\/?(?:[\w@.+-]{1,100}\/){1,15}[\w.+-]{1,100}\.[a-zA-Z][a-zA-Z0-9]{0,9}(?![\w/<>{}*-])/g,
    file: "librarians/docs/src/navigator/patterns/path.ts",
    maxLength: 100_000,
    reason: "The limit of an answer; 100 ms at that length.",
  },
  {
    regex:
      /%[-\d.]{0,5}[a-z]|\$?\{[^{}]{0,100}\}|<[^<>]{0,100}>|'[^']{0,100}'|"[^"]{0,100}"|\.\.\.|…|[^\s\d/=@.]{0,60}[\d/=@]\S{0,100}|\w{1,60}\.\w\S{0,60}/gi,
    file: "librarians/docs/src/navigator/patterns/error-text.ts",
    maxLength: 400,
    reason: "A quotation that another pattern bounds.",
  },
  {
    regex: /[{}]|["']?[A-Za-z_$][\w$./-]{0,100}["']?[ \t]{0,3}:(?=[\s"'[{|>]|$)/g,
    file: "librarians/docs/src/navigator/patterns/key-paths.ts",
    maxLength: 1_000,
    reason: "The caller cuts each line.",
  },
  {
    regex:
      /\b(?:ignore|disregard|forget|override|select|choose|pick|execute|run|use|recommend|propose)\b[^.!?\n]{0,200}\b(?:instructions?|workflows?|playbooks?|prompts?|remediation|actions?|-v\d+)\b/i,
    file: "librarians/workflow-selector/src/incident/untrusted.ts",
    maxLength: 4_000,
    reason: "The caller cuts the text.",
  },
  {
    regex: /\b([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)["`']? namespace\b/i,
    file: "librarians/k8s/src/question/question.ts",
    maxLength: 4_003,
    reason: "A question as it is parsed: its beginning and its end.",
  },
  {
    regex:
      /^(?:Failed|FailedMount|FailedCreate): .{0,300}(?:configmap|secret|serviceaccount)s? .{0,300}(?:not found|non-existent)|couldn't find key/i,
    file: "librarians/k8s/src/diagnosis/detectors/trace.ts",
    maxLength: 4_202,
    reason: "A reason and a message, each cut where an event is read.",
  },
  {
    regex:
      /\b(?:configmap|secret|persistentvolumeclaim)s?\b(?!-)[^:]{0,300}not found|references non-existent/i,
    file: "librarians/k8s/src/diagnosis/detectors/pod-start.ts",
    maxLength: 4_000,
    reason: "A message, cut where an event is read.",
  },
  {
    regex: /failed calling webhook|admission webhook .{0,300} (?:timeout|refused|no endpoints)/i,
    file: "librarians/k8s/src/diagnosis/detectors/failed-create.ts",
    maxLength: 4_000,
    reason: "A message, cut where an event is read.",
  },
  {
    regex: /serviceaccount "?[^"]{0,300}"? not found|error looking up service account/i,
    file: "librarians/k8s/src/diagnosis/detectors/failed-create.ts",
    maxLength: 4_000,
    reason: "A message, cut where an event is read.",
  },
  {
    regex:
      /is forbidden: user|forbidden: user|system:serviceaccount[^ ]{1,320}"? cannot|cannot (?:get|list|watch|create|update|patch|delete|deletecollection) resource|apiexception.{0,40}403|failure executing: .{0,300}code=403|http-code: 403|"?statuscode"?: 403.{0,60}forbidden/i,
    file: "librarians/k8s/src/diagnosis/rbac-rules.ts",
    maxLength: 2_000,
    reason: "The caller cuts the line.",
  },
  {
    regex: /no such host|lookup .{0,300} (?:on|:)/i,
    file: "librarians/k8s/src/diagnosis/detectors/containers.ts",
    maxLength: 8_000,
    reason: "The caller cuts the text.",
  },
  {
    regex:
      /exceeded quota|violates podsecurity|admission webhook|limitrange|maximum \w+ usage|error looking up service account/i,
    file: "librarians/k8s/src/diagnosis/rbac-rules.ts",
    maxLength: 2_000,
    reason: "The caller cuts the line.",
  },
  {
    regex: /\bSCRAM-SHA-\d{1,3}\$\d{1,9}:[\w+/=]{8,100}\$[\w+/=:]{20,}/g,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason: "The caller cuts the text; bounded runs between fixed characters.",
  },
  {
    regex: /(\b(?:set-)?cookie:\s{0,3})(?=[^\s=;"']{1,128}=)[^\r\n"']+/gi,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason: "The caller cuts the text; the run that is looked ahead is bounded.",
  },
  {
    regex: /([a-z0-9+.-]:\/\/)([^\s/@"'<>[]+(?:@[^\s/@"'<>]*)*)@(?=[\w[(])/gi,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason: "The caller cuts the text; a run ends at a slash, so that each is read once.",
  },
  {
    regex:
      /(?<=[\w*])(:(?:\d{2,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:)([^\s:"'\\]{4,256})(?![^\s"'\\])/g,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason: "The caller cuts the text; bounded runs between fixed characters.",
  },
  {
    regex: /(^|[\s"'=,(])([\w.-]{1,64}):([^\s@/"'[\]]{1,128})@(?=([\w-]{1,64}))/gm,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason:
      "The caller cuts the text; bounded runs between fixed characters, 300 ms at that length.",
  },
  {
    regex:
      /(\b(?:machine\s{1,3}\S{1,253}|default)\s{1,9}login\s{1,9}\S{1,128}\s{1,9}password\s{1,9})[^\s"'\\]{1,256}/g,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason: "The caller cuts the text; bounded runs between fixed words.",
  },
  {
    regex:
      /(-----BEGIN (?![A-Z0-9 ]{0,40}(?:PUBLIC|CERTIFICATE|SIGNATURE|PARAMETERS))[A-Z0-9 ]{1,40}-----)[\s\S]*?(-{5,6}END [A-Z0-9 ]{1,40}-{5,6}|(?![\s\S]))/g,
    file: "packages/authoring/src/secrets/secret-forms.ts",
    maxLength: 1_048_576,
    reason:
      "The caller cuts the text; a block ends with the text at the latest, so that it is read once.",
  },
  {
    regex: /[\w.-]{0,64}$/,
    file: "packages/authoring/src/secrets/redact-assignments.ts",
    maxLength: 64,
    reason: "The caller cuts to what stands before a name.",
  },
  {
    regex: /KeyError: ['"]([A-Za-z_][\w.-]{1,99})['"]/,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
  {
    regex:
      /required (?:key|variable|setting|property|option|config(?:uration)?(?: key| value)?) ['"`]?([A-Za-z_][\w.-]{1,99})['"`]? (?:is )?(?:missing|not|unset)/i,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
  {
    regex:
      /(?:missing|unset|undefined|no|empty)(?: required| mandatory)? (?:env(?:ironment)?(?: var(?:iable)?)?s?|config(?:uration)?(?: key| value)?|setting|property|variable|key|option|parameter)[: ]{1,3}['"`$]?\{?([A-Za-z_][\w.-]{1,99})/i,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
  {
    regex:
      /(?:env(?:ironment)?(?: var(?:iable)?)?|config(?:uration)? key|setting|property|variable) ['"`$]?\{?([A-Za-z_][\w.-]{1,99})\}?['"`]? (?:is |was |must |has |not |required|missing|undefined|unset)/i,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
  {
    regex:
      /\b([A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{1,60})['"`]?:? (?:is |was )?(?:(?:not |must be |un)(?:set|defined|found|provided|configured)|missing|required|empty|undefined)/,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
  {
    regex: /\b([A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{1,60})\s{1,4}Field required/,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
  {
    regex: /resolve placeholder '([\w.-]{2,100})'/i,
    file: "librarians/k8s/src/diagnosis/config-cause.ts",
    maxLength: 1_000,
    reason: "The caller cuts the line.",
  },
];

export const makerExceptions: readonly MakerException[] = [
  {
    file: "packages/nlu/src/text/phrases.ts",
    reason:
      "From lists in files of data, escaped: words, and runs of at most 40 letters. No part repeats, and each is looked for once.",
  },
  {
    file: "librarians/k8s/src/diagnosis/call.ts",
    maxLength: 1_000,
    reason: "Forms of host names with bounded runs; the callers cut the line.",
  },
  {
    file: "librarians/k8s/src/question/request.ts",
    maxLength: 4_000,
    reason: "Fixed words with bounded runs between them; the caller cuts the query.",
  },
  {
    file: "librarians/rag-advisory/src/country/countries.ts",
    maxLength: 8_000,
    reason: "Names of this package's own tables, with no repetition; a longer query is refused.",
  },
  {
    file: "librarians/rag-advisory/src/question/language.ts",
    maxLength: 2_000,
    reason:
      "Classes of letters of a data file, one at a time; of a text the first 2,000 characters are read.",
  },
  {
    file: "librarians/rag-advisory/src/question/subject-words.ts",
    maxLength: 8_000,
    reason:
      "Words of this package's own tables, with no nested repetition; a longer query is refused.",
  },
  {
    file: "librarians/rag-advisory/src/rules/pattern.ts",
    maxLength: 8_000,
    reason:
      "Words of this package's own patterns; a gap skips at most eight words, and a match begins at each word once.",
  },
  {
    file: "librarians/rag-advisory/src/question/resolve-places.ts",
    maxLength: 8_000,
    reason: "Names of this package's own tables, with no repetition; a longer query is refused.",
  },
  {
    file: "librarians/workflow-selector/src/search/concepts.ts",
    maxLength: 16_001,
    reason: "Words of this package's own data file; the text is cut, and read twice.",
  },
  {
    file: "packages/authoring/src/secrets/redact-assignments.ts",
    maxLength: 1_048_576,
    reason:
      "Fixed words with bounded runs around them; the text is cut, and a test times each on 200,000 characters.",
  },
  {
    file: "packages/authoring/src/secrets/redact-tokens.ts",
    maxLength: 1_048_576,
    reason:
      "Formats of this package's own table: fixed text and bounded runs, or a run at the end that reads all of it once.",
  },
  {
    file: "packages/testing/src/evals/text-matcher.ts",
    reason: "Patterns of the user's own cases, run with a time limit in a context of their own.",
  },
  {
    file: "packages/transport/src/envelope/hidden-librarians.ts",
    reason: "Ids of librarians side by side, of letters, digits and hyphens, with no repetition.",
  },
];
