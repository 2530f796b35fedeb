import type { HopRecord, RunRecord, SharedFrom, UsageRecord } from "@constellation/core";

/**
 * Prints a record as a tree, a line per hop, with times and outcomes.
 *
 * @example
 * ```text
 * front-desk               2 ms  delegate
 * ├─ deploy-docs          11 ms  answer, confidence 0.81, 2 sources
 * └─ network-docs         30 ms  error TIMEOUT (deadline), abandoned
 * answered in 44 ms, 3 hops
 * ```
 */
export function printTree(record: RunRecord): string {
  const lines = treeLines(record);
  const width = Math.max(0, ...lines.map(({ name }) => name.length));
  const times = lines.map(({ hop }) => formatMs(hop.durationMs));
  const timeWidth = Math.max(0, ...times.map((time) => time.length));
  const body = lines.map(
    ({ name, hop }, index) =>
      `${name.padEnd(width)}  ${(times[index] ?? "").padStart(timeWidth)}  ${describe(hop)}`,
  );
  return [...body, summary(record)].join("\n");
}

/** Prints a record as a Mermaid flowchart: an arrow per hop, failures in red. */
export function printMermaid(record: RunRecord): string {
  const nodes = record.hops.map(
    (hop) =>
      `  h${hop.id}["${escapeLabel(hop.to)}<br/>${escapeLabel(`${formatMs(hop.durationMs)}, ${describe(hop)}`)}"]`,
  );
  const arrows = record.hops.map(({ id, parentId, via }) =>
    parentId === undefined
      ? `  caller(("caller")) --> h${id}`
      : `  h${parentId} -->|${via}| h${id}`,
  );
  const failed = record.hops.filter(({ outcome }) => outcome === "error" || outcome === "refused");
  return [
    "flowchart TD",
    ...nodes,
    ...arrows,
    ...(failed.length > 0
      ? [
          "  classDef failed stroke:#c00,color:#c00",
          `  class ${failed.map(({ id }) => `h${id}`).join(",")} failed`,
        ]
      : []),
  ].join("\n");
}

/** A hop of this mesh, or of another one. */
type PrintedHop = Pick<HopRecord, "to" | "durationMs" | "confidence" | "abandoned" | "remote"> &
  Partial<
    Pick<
      HopRecord,
      | "via"
      | "attempt"
      | "again"
      | "shared"
      | "error"
      | "sources"
      | "lateMs"
      | "blockedMs"
      | "fanOut"
      | "usage"
      | "decisions"
    >
  > & {
    readonly outcome?: string | undefined;
    readonly code?: string | undefined;
  };

interface TreeLine {
  readonly name: string;
  readonly hop: PrintedHop;
}

/** Depth first, without recursion: a record from outside may be deep. */
function treeLines({ hops }: RunRecord): readonly TreeLine[] {
  const known = new Set(hops.map(({ id }) => id));
  const childrenOf = new Map<number | undefined, HopRecord[]>();
  for (const hop of hops) {
    const parent = hop.parentId !== undefined && known.has(hop.parentId) ? hop.parentId : undefined;
    const siblings = childrenOf.get(parent);
    if (siblings === undefined) childrenOf.set(parent, [hop]);
    else siblings.push(hop);
  }
  const lines: TreeLine[] = [];
  const open: OpenLine[] = (childrenOf.get(undefined) ?? [])
    .map((hop) => ({ hop, id: hop.id, place: "", branch: "", indent: "" }))
    .reverse();
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { hop, id, place, branch, indent } = top;
    lines.push({ name: `${branch}${hop.to}${place}`, hop });
    const { mesh, host } = hop.remote ?? {};
    const remote = (hop.remote?.hops ?? []).map((each) => ({
      hop: each,
      id: undefined,
      place: ` (${mesh} on ${host})`,
    }));
    const local = id === undefined ? [] : (childrenOf.get(id) ?? []);
    if (id !== undefined) childrenOf.delete(id);
    const children = [...remote, ...local.map((each) => ({ hop: each, id: each.id, place: "" }))];
    for (const [index, child] of [...children.entries()].reverse()) {
      const isLast = index === children.length - 1;
      open.push({
        ...child,
        branch: `${indent}${isLast ? "└─ " : "├─ "}`,
        indent: `${indent}${isLast ? "   " : "│  "}`,
      });
    }
  }
  return lines;
}

interface OpenLine {
  readonly hop: PrintedHop;
  /** `undefined` for a hop of another mesh. */
  readonly id: number | undefined;
  /** The machine of a hop in another mesh. */
  readonly place: string;
  readonly branch: string;
  readonly indent: string;
}

const sharedTexts: Readonly<Record<SharedFrom, string>> = {
  run: "asked before in this run",
  flight: "shared with another run",
  cache: "cached",
  stale: "cached, stale",
  journal: "recorded before",
};

function describe(hop: PrintedHop): string {
  const { outcome, error, code, confidence, sources, abandoned, lateMs, via, fanOut } = hop;
  const { attempt, again, shared, blockedMs } = hop;
  const failure =
    error === undefined
      ? code
      : `${error.code}${error.reason !== undefined ? ` (${error.reason})` : ""}`;
  const outcomeText = [outcome ?? "running", failure].filter(Boolean).join(" ");
  return [
    outcomeText,
    via === "ask" ? "asked" : undefined,
    via === "fallback" ? "fallback" : undefined,
    attempt !== undefined && attempt > 1 ? `attempt ${attempt}` : undefined,
    again?.kind === "hedge" ? "asked beside a slow one" : undefined,
    shared === undefined ? undefined : sharedTexts[shared],
    fanOut === undefined ? undefined : fanOut.strategy,
    confidence === undefined ? undefined : `confidence ${formatShare(confidence)}`,
    sources === undefined ? undefined : `${sources} ${sources === 1 ? "source" : "sources"}`,
    ...(hop.decisions ?? []).map(({ outcome, by }) =>
      by === undefined ? outcome : `${outcome} by ${by}`,
    ),
    abandoned === true ? "abandoned" : undefined,
    blockedMs === undefined
      ? undefined
      : `blocked the event loop for ${(blockedMs / 1_000).toFixed(1)} s`,
    printUsage(hop.usage) || undefined,
    lateMs === undefined ? undefined : `stopped after ${formatMs(lateMs)}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

function summary(record: RunRecord): string {
  const { stopReason, durationMs, hops, unsettled, error, omittedRefusals, usage } = record;
  const failure = error === undefined ? "" : ` ${error.code}`;
  const count = `${hops.length} ${hops.length === 1 ? "hop" : "hops"}`;
  const still = unsettled === 0 ? "" : `, ${unsettled} still busy`;
  const omitted =
    omittedRefusals === undefined ? "" : `, ${omittedRefusals} refused hops not listed`;
  const used = printUsage(usage);
  return `${stopReason ?? "running"}${failure} in ${formatMs(durationMs)}, ${count}${omitted}${used === "" ? "" : `, ${used}`}${still}`;
}

/** Prints tokens and cost: `1,204 tokens, $0.0031`, or `about 1,204 tokens`. Empty where no model was called. */
export function printUsage(usage: UsageRecord | undefined): string {
  if (usage === undefined || usage.modelCalls === 0) return "";
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = usage.costUsd === undefined ? "" : `, ${printCost(usage.costUsd)}`;
  const about = usage.estimated === true ? "about " : "";
  return `${about}${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}${cost}`;
}

/** Two decimals from one dollar on, below it up to four. */
function printCost(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "< $0.0001";
  return `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toFixed(4)}`;
}

function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

function formatShare(share: number): string {
  return String(Math.round(share * 100) / 100);
}

function escapeLabel(text: string): string {
  return text.replace(/[^\w .,:()/-]/g, (character) => `#${character.codePointAt(0)};`);
}
