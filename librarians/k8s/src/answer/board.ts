import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { findReach, findSince, isProduction, rateRecency } from "../diagnosis/reach.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { rateFinding } from "./confidence.js";
import { code, escaped } from "./markdown.js";
import { plainWords } from "./plain-words.js";

/** Characters of the quotation in a row, tried in turn until a board of all causes fits. */
const detailLengths = [110, 60, 30, 0];
/** Maximum number of characters of a board, and of one that leaves room for details. */
const maxBoard = 3_300;
const maxRoomy = 2_400;
/** Maximum number of names in a cell. */
const maxNames = 2;

/**
 * A table of causes, one row each in the order given, and how many of those found it shows: all, unless even the
 * shortest rows are too many.
 */
export function printBoard(findings: readonly Finding[], view: ClusterView): string {
  const reaches = new Map(findings.map((one) => [one, printReach(one, view)]));
  const tables = detailLengths.map((length) =>
    findings.map(
      (one, index) =>
        `| ${[index + 1, ...cellsOf(one, length, reaches.get(one) ?? "", view)].join(" | ")} |`,
    ),
  );
  const size = (rows: readonly string[]) => rows.join("\n").length;
  const all = tables.find((rows) => size(rows) <= maxRoomy) ?? tables.at(-1) ?? [];
  let count = all.length;
  while (size(all.slice(0, count)) > maxBoard) count--;
  return [
    "| | cause | since | takes down | sure |",
    "| --- | --- | --- | --- | --- |",
    ...all.slice(0, count),
    "",
    `Found ${findings.length}, shown ${count}${count < findings.length ? ", the rest in metadata.facts" : ""}.`,
  ].join("\n");
}

/** @param length - Characters of the quotation; 0 for the shortest row. */
function cellsOf(
  one: Finding,
  length: number,
  reach: string,
  view: ClusterView,
): readonly string[] {
  const top = findTopOwner(one.object, view);
  const more = withAllSymptoms(one).length - 1 + one.others.length;
  const cause = [
    `${one.signal} of ${code(toObjectId(top))}${one.current ? "" : " (earlier)"}`,
    ...(length === 0 ? [] : [escaped(quote(one.message ?? one.summary, length))]),
    ...(more > 0 ? [length === 0 ? `+${more}` : `and ${more} more of it`] : []),
  ].join(length === 0 ? " " : "; ");
  const since = printSince(one, length === 0, view);
  return [cause, since, reach, rateFinding(one).toFixed(2)].map((cell) =>
    cell.replace(/\|/g, "\\|"),
  );
}

function printSince(one: Finding, isShort: boolean, view: ClusterView): string {
  const since = findSince(one, view);
  if (since === undefined) return "unknown";
  if (isShort) return printDuration(view.now - since);
  const isNew = rateRecency(since, view.now) === 3;
  const again = one.standing?.kind === "recurring" ? `, ${one.standing.why}` : "";
  return `${printMoment(since, view.now)} (${printDuration(view.now - since)}${isNew ? ", new" : ""})${again}`;
}

/** `2 pods, Service checkout, shop.example.com`. */
function printReach(one: Finding, view: ClusterView): string {
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
  if (parts.length > 0) return `${escaped(parts.join(", "))}${place}`;
  return `${level === 0 ? "nothing yet" : "itself"}${place}`;
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
      : `; first, ${toObjectId(top)} ${plainWords[first.signal]} (${first.signal})`;
  return `${subject}: ${findings.length} causes${worst}`;
}
