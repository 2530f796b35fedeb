import type { ClusterReader, ReadProblem } from "../cluster/cluster-reader.js";
import { failedCallIn } from "../diagnosis/call.js";
import type { Evidence } from "../diagnosis/evidence.js";
import type { LogWish } from "../diagnosis/finding.js";
import { meshDenial } from "../diagnosis/mesh-policy.js";
import { quote } from "../diagnosis/quote.js";
import { denialIn } from "../diagnosis/rbac-rules.js";

/** Lines and bytes of one log. */
const tailLines = 100;
const limitBytes = 64 * 1_024;
/** Length up to which an error line is a heading of what is below it. */
const maxHeading = 60;
/** Length up to which a line takes in the next one. */
const maxJoined = 250;
/** Maximum number of characters of a line that are looked at. */
const maxLine = 2_000;

/** What a log says about a failure. */
export interface LogReport {
  readonly wish: LogWish;
  /** Lines that report an error, or else the last ones: at most three. */
  readonly evidence: readonly Evidence[];
  /** The first of `evidence`, when it reports an error. */
  readonly error: Evidence | undefined;
  /** Number of lines behind the last one that reports an error: how long the program has gone on. */
  readonly calmLines: number;
  /** A call that the cluster's own access control refused. */
  readonly denied: Evidence | undefined;
  readonly problem: ReadProblem | undefined;
}

/** A line of a log, by its number from 1. */
interface Line {
  readonly text: string;
  readonly number: number;
}

const error =
  /\b(?:error|err|exception|fatal|panic|critical|fail(?:ed|ure|s)?|traceback|denied|forbidden|unauthorized|refused|timed? ?out|cannot|could not|unable to|no such|not found|segfault|killed|abort(?:ed)?|invalid|missing|exceeded|does not|did not|unhealthy|unavailable|mismatch|conflict|already exists|duplicate|violates?|rejected)\b/i;
/** Numbers of errors of an operating system, as Node.js and others name them. */
const errno =
  /\bE(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|DQUOT|EXIST|HOSTDOWN|HOSTUNREACH|INVAL|IO|ISDIR|MFILE|NETDOWN|NETUNREACH|NFILE|NOENT|NOEXEC|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|PROTO|ROFS|TIMEDOUT|XDEV)\b/;
const strong =
  /\b(?:fatal|panic|exception|traceback|critical|segfault)\b|\[(?:error|emerg)\]|\berror:/i;
/** A level as loggers write it: `level=error`. */
const level = /level"?[=:]\s{0,3}"?(?:error|fatal|critical)/i;
/** Words that are a level or a class only in this spelling. */
const spelled =
  /\b(?:ERROR|ERR|FATAL|PANIC|CRIT|SEVERE)\b|^[EF]\d{4} |\b[A-Z]\w*(?:Error|Exception)\b/;
const harmless =
  /\b(?:no|0|zero|without) (?:errors?|failures?)\b|errors?[=:]\s*(?:0|nil|null|none|false)\b|failed[=:]\s*0\b|\berror (?:budget|rate|count|handler|page|reporting)s?\b|\bfailure (?:threshold|policy)\b/i;
/** A line that its program calls information. */
const calm =
  /^\W{0,3}(?:[\d:.,TZ+-]{6,35}\s+)?\W?(?:INFO|DEBUG|TRACE|NOTICE)\b|"?level"?[=:]\s*"?(?:info|debug|trace)\b|^[I]\d{4} /i;

/** Reads one log, and picks the lines that matter. Nothing in a line is ever more than a quote. */
export async function readLog(
  reader: ClusterReader,
  wish: LogWish,
  signal: AbortSignal,
): Promise<LogReport> {
  const { namespace, pod, container, previous } = wish;
  const options = { namespace, pod, container, tailLines, limitBytes, signal };
  let read = await reader.logs({ ...options, previous });
  let isPrevious = previous;
  if (read.text === undefined || read.text.trim() === "") {
    const other = await reader.logs({ ...options, previous: !previous });
    if (other.text !== undefined && other.text.trim() !== "") {
      read = other;
      isPrevious = !previous;
    }
  }
  const lines = withReports(joined((read.text ?? "").split("\n")))
    .map(({ text, number }) => ({ text: text.trim().slice(0, maxLine), number }))
    .filter(({ text }) => text !== "");
  const errors = lines.filter(
    ({ text }) =>
      (error.test(text) || errno.test(text) || spelled.test(text) || meshDenial.test(text)) &&
      !harmless.test(text) &&
      (!calm.test(text) || failedCallIn(text) !== undefined || denialIn(text) !== undefined),
  );
  // A heading says less than what is below it.
  const strongest = errors.filter(
    ({ text }, index) => isStrongError(text) && !(isHeading(text) && index + 1 < errors.length),
  );
  const first = strongest.slice(-2);
  // A failed call that names where it went says more than what came of it.
  const call = errors.findLast(({ text }) => failedCallIn(text)?.host !== undefined);
  const chosen = [
    ...new Set([
      ...first.slice(0, 1),
      ...(call === undefined ? [] : [call]),
      ...first,
      ...errors.slice(-2),
      ...(errors.length === 0 ? lines.slice(-3) : []),
    ]),
  ].slice(0, 3);
  const id = `${namespace}/Pod/${pod}/log/${quote(container ?? "*", 100)}${isPrevious ? "#previous" : ""}`;
  const evidence = chosen.map(
    ({ text, number }): Evidence => ({
      id: `${id}:${number}`,
      kind: "log",
      text: quote(text, 300),
    }),
  );
  const denials = errors.filter(({ text }) => denialIn(text) !== undefined);
  // A client may say the status first, and what was refused in a later line.
  const denied = denials.find(({ text }) => denialIn(text)?.resource !== undefined) ?? denials[0];
  return {
    wish,
    evidence,
    error: errors.length === 0 ? undefined : evidence[0],
    calmLines: lines.filter(({ number }) => number > (errors.at(-1)?.number ?? 0)).length,
    denied:
      denied === undefined
        ? undefined
        : { id: `${id}:${denied.number}`, kind: "log", text: quote(denied.text) },
    problem: read.text === undefined ? read.problem : undefined,
  };
}

/** True for a line that a program itself calls an error. */
export function isStrongError(text: string): boolean {
  const line = text.slice(0, maxLine);
  return strong.test(line) || level.test(line) || spelled.test(line) || meshDenial.test(line);
}

function isHeading(text: string): boolean {
  return text.length < maxHeading && text.endsWith(":");
}

/** Maximum number of lines that report an error in more words, after the line that does so first. */
const maxReport = 2;
/** A line that begins anew, by its time or its level, or that is a place in a program. */
const marked =
  /^\W{0,3}(?:\d{4}[-/]\d|\d{1,2}[:/.]\d\d|[IWEFD]\d{4} |time=|ts=|level=|\{|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|PANIC|CRITICAL)\b)|^\s*(?:at |File "|goroutine |from |in |\.\.\.|Caused by)|^\s+\S+:\d+/;

/** A line that explains the error before it, after a time of its own. */
const explaining = /\b(?:DETAIL|HINT|CAUSE|REASON): /;

/**
 * Lines in which a program itself calls something an error, with what it reports of it in the next lines: tools say
 * there what a person needs, such as which migration or which key.
 */
function withReports(lines: readonly Line[]): readonly Line[] {
  return lines.map(({ text, number }, index) => {
    if (text.length >= maxJoined || !isStrongError(text)) return { text, number };
    const after = lines.slice(index + 1, index + 1 + maxReport + 1);
    // A heading of its own may have an empty line below it.
    const [next] = after;
    const below = next?.text.trim() === "" && text.length < maxHeading ? after.slice(1) : after;
    const end = below.findIndex(
      (one) =>
        !explaining.test(one.text) &&
        (one.text.trim() === "" || marked.test(one.text) || isStrongError(one.text)),
    );
    const report = below.slice(0, Math.min(maxReport, end < 0 ? maxReport : end));
    const said = report.map((one) =>
      one.text.slice(Math.max(0, one.text.search(explaining))).trim(),
    );
    return { text: [text, ...said].join(" "), number };
  });
}

/** Lines with what goes on in the next one: drivers name the host of a failed call there, indented. */
function joined(lines: readonly string[]): readonly Line[] {
  const found: { text: string; number: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = found.at(-1);
    const goesOn = /^\s{1,20}(?!at |File |\.\.\.)\S/.test(line) && last !== undefined;
    if (goesOn && last.text.length < maxJoined && /[a-z?:,]$/i.test(last.text))
      last.text = `${last.text} ${line.trim()}`;
    else found.push({ text: line.trimEnd(), number: index + 1 });
  }
  return found;
}
