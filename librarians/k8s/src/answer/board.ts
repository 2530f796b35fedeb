import { listAt } from "../cluster/fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { findReach, findSince, isProduction, rateRecency } from "../diagnosis/reach.js";
import { describeSignal } from "../diagnosis/signal-type.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { printPlace } from "../query/lookup-scope.js";
import { rateFinding } from "./confidence.js";
import { code, escaped } from "./markdown.js";

/** Characters of the quotation in a row, tried in turn until a board of all causes fits. */
const detailLengths = [130, 90, 70, 54, 40, 28];
/** Number of causes up to which the board leaves room for details below it, and the share of the room that it takes then. */
const fewCauses = 6;
const shareOfFew = 0.55;
/** Number of causes from which times and names are at their shortest. */
const manyCauses = 12;
/** Maximum number of names in a cell. */
const maxNames = 2;

/**
 * A table of causes, one row each in the order given, and how many of those found it shows: all, unless even the
 * shortest rows are too many.
 *
 * @param room - Maximum number of characters.
 */
export function printBoard(findings: readonly Finding[], view: ClusterView, room: number): string {
  const isShort = findings.length > manyCauses;
  const cells = findings.map((one) => ({
    one,
    since: printSince(one, isShort, view),
    reach: printReach(one, isShort, view),
  }));
  const head = ["| | cause | since | takes down | sure |", "| --- | --- | --- | --- | --- |"];
  const size = (rows: readonly string[]) => rows.join("\n").length + 160;
  const most = findings.length <= fewCauses ? room * shareOfFew : room;
  const tables = detailLengths.map((length) =>
    cells.map(({ one, since, reach }, index) =>
      toRow([
        String(index + 1),
        printCause(one, length, isShort, view),
        since,
        reach,
        rateFinding(one).toFixed(2).replace(/^0/, ""),
      ]),
    ),
  );
  const all = tables.find((rows) => size(rows) <= most) ?? tables.at(-1) ?? [];
  let count = all.length;
  while (count > 0 && size(all.slice(0, count)) > room) count--;
  const left = count < findings.length ? ", the rest in metadata.facts" : "";
  const counted = `Found ${findings.length}, shown ${count}${left}.`;
  return [
    ...head,
    ...all.slice(0, count),
    ...(findings.length > fewCauses ? ["", counted] : []), // a few are counted by the head, and by eye
  ].join("\n");
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\|/g, "\\|")).join(" | ")} |`;
}

/** `` `shop/Deployment/web`: ImagePullBackOff, image … not found, +2 ``, with what it shows itself as counted. */
function printCause(one: Finding, length: number, isShort: boolean, view: ClusterView): string {
  const top = findTopOwner(one.object, view);
  const more = isShort ? 0 : withAllSymptoms(one).length - 1 + one.others.length;
  // Of many most are Deployments.
  const id = isShort ? toObjectId(top).replace("/Deployment/", "/") : toObjectId(top);
  return [
    `${code(id)}: ${one.signal}${one.current ? "" : " (earlier)"}`,
    escaped(shorten(describeEssence(one), length)),
    ...(more > 0 ? [`+${more}`] : []),
  ].join(", ");
}

/**
 * What a finding's own words say most shortly: its message, how its last run ended, a line of its log, or its summary. Of
 * these the first that says more than that something gave up.
 */
export function describeEssence(one: Finding): string {
  const all = withAllSymptoms(one);
  const { probe_failure: probe, exit_code: exit } = one.values;
  const log = all.flatMap(({ values }) => listAt(values, "last_log_lines").map(String)).at(-1);
  const isExplained = typeof probe === "string" || exit === 0;
  const said = [
    one.message,
    isExplained ? (probe ?? one.summary) : log,
    one.summary,
    ...all.flatMap(({ message, summary }) => [message, summary]),
  ].flatMap((text) => (typeof text === "string" ? [withoutWrapping(text)] : []));
  return said.find((text) => !general.test(text)) ?? said[0] ?? "";
}

/** Messages that say only that something gave up, or answered no. */
const general =
  /^Job has reached|^back-off|has timed out progressing|minimum availability|statuscode: 50[023]$|^Traceback/i;

/** What stands before and behind the cause in a message: its time, what the row names anyway, and who passed it on. */
const wrapping: readonly RegExp[] = [
  /^[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[\w.,:+-]{0,20}[\])]? /,
  /^(?:container \S{1,99} of )?pod \S{1,253} (?:is in phase \w{1,20}|is not ready|cannot start): /,
  /^container \S{1,99} of pod .{1,400}; (?=its last run )/,
  /^(?:Failed|Unhealthy)(?: \(\d+ times\))?: /,
  /^Job \S{1,253} failed \(\w{1,60}\): /,
  /^pods "[^"]{1,253}" is forbidden: /,
  /^the HPA was unable to compute the replica count: /,
  /^failed to create containerd task: failed to create shim task: (?:OCI runtime create failed: )?(?:runc create failed: )?/,
  /: unknown$/,
];

/** What a log in JSON, or of keys and values, says in words. */
const said = /\b(?:msg|message|error|err)(?:":\s{0,3}|=)"((?:[^"\\]|\\.){1,400})"/g;
const isKeyed = /^\{|^\w{1,20}=\S/;

function withoutWrapping(text: string): string {
  const messages = isKeyed.test(text) ? [...text.matchAll(said)].map(([, one]) => one) : [];
  if (messages.length > 0) return messages.join(": ").replaceAll('\\"', '"');
  const [own = ""] = text.split(" preemption: ", 1);
  return wrapping.reduce((rest, part) => rest.replace(part, ""), own);
}

/** The beginning and the end of a text that is too long: errors name their object first and say what is wrong last. */
function shorten(text: string, length: number): string {
  const line = quote(text);
  if (line.length <= length) return line;
  const end = Math.ceil(length * 0.55);
  return `${line.slice(0, length - end - 1).trimEnd()}…${line.slice(-end).trimStart()}`;
}

function printSince(one: Finding, isShort: boolean, view: ClusterView): string {
  const since = findSince(one, view);
  if (since === undefined) return "unknown";
  const age = printDuration(view.now - since);
  if (isShort) return age;
  const isNew = rateRecency(since, view.now) === 3;
  const again = one.standing?.kind === "recurring" ? `; ${one.standing.why}` : "";
  return `${printMoment(since, view.now)} (${age}${isNew ? ", new" : ""})${again}`;
}

/** `2 pods, Service checkout, shop.example.com`. */
function printReach(one: Finding, isShort: boolean, view: ClusterView): string {
  const { pods, services, routes, level } = findReach(one, view);
  const names = services
    .slice(0, maxNames)
    .map(({ metadata }) => metadata.name)
    .join(", ");
  const parts = [
    ...(pods.length > 0 ? [`${pods.length} ${pods.length === 1 ? "pod" : "pods"}`] : []),
    ...(services.length > 0
      ? [
          `${services.length === 1 ? "Service" : `${services.length} Services,`} ${names}${services.length > maxNames ? " and more" : ""}`,
        ]
      : []),
    ...routes.slice(0, maxNames),
  ];
  const place = isProduction(one.object, view) ? "" : " (not production)";
  if (parts.length > 0)
    return `${escaped((isShort ? parts.slice(-1) : parts).join(", "))}${isShort ? "" : place}`;
  return `${level === 0 ? "nothing yet" : "itself"}${isShort ? "" : place}`;
}

/** What stands first in an answer with a board: `12 causes in the cluster; first, shop/Deployment/web keeps crashing`. */
export function composeBoardHead(
  findings: readonly Finding[],
  subject: string,
  view: ClusterView,
): string {
  const [first] = findings;
  const top = first === undefined ? undefined : findTopOwner(first.object, view);
  const worst =
    first === undefined || top === undefined
      ? ""
      : `; first, ${toObjectId(top)} ${describeSignal(first.signal)} (${first.signal})`;
  return `${findings.length} causes ${printPlace(subject)}${worst}`;
}
