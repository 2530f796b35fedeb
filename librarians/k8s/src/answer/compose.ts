import { isFunctionWord } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { proposeChange } from "../diagnosis/change.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Evidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { composeBoardHead, printBoard } from "./board.js";
import { chooseBasis } from "./confidence.js";
import { type Line, printLine } from "./forms.js";
import { composeHeadline } from "./headline.js";
import { type Limits, limitLines } from "./limits.js";
import { code, escaped } from "./markdown.js";
import type { Verdict } from "./verdict.js";

/** Maximum number of characters of an answer. */
export const maxAnswer = 4_000;
/** Number of causes from which an answer about one thing is a table too. */
const minBoard = 4;
/** Findings with their evidence, and lines of evidence for each; the others have a line each. */
const inFull = [5, 3, 2];
/** Maximum number of characters of what to change, where it is said first. */
const maxRemedy = 140;
/** Maximum number of findings with a line each. */
const maxShort = 8;

/** What an answer is made of. */
export interface AnswerParts {
  /** What the question is about: `shop/Deployment/api`, `namespace shop`, `the cluster`. */
  readonly subject: string;
  /** True for a question about a whole cluster or namespace. */
  readonly isWide: boolean;
  readonly findings: readonly Finding[];
  /** Things of the same name in which nothing is wrong. */
  readonly notMeant: readonly KubernetesObject[];
  /** Current findings that the question did not ask for. */
  readonly aside: readonly Finding[];
  /** What is over, early or meant: a line each. */
  readonly setAside: readonly string[];
  /** Said before all else: that what the question names is in another namespace. */
  readonly note: string | undefined;
  /** Said before all else: yes or no, where the question asks for that. */
  readonly verdict: Verdict | undefined;
  /** What was read, where nothing is wrong. */
  readonly healthy: readonly Line[];
  /** Why "nothing is wrong" cannot be said, where it cannot. */
  readonly unsure: string | undefined;
  readonly limits: Limits;
  readonly view: ClusterView;
  /** True for a question what to change: the change is said first. */
  readonly asksRemedy: boolean;
}

/** Composes an answer: a headline, then the causes with their evidence and what to check next. */
export function composeAnswer(parts: AnswerParts): string {
  const { subject, isWide, verdict, findings, notMeant, aside, healthy, unsure, limits, view } =
    parts;
  const [likeliest] = findings;
  // Whether anything is wrong, and what, is said in one sentence.
  const isInHead = verdict?.isHealth === true && findings.some(({ current }) => current);
  const yes = isInHead ? `**${verdict.holds ? "Yes" : "No"}**: ` : "";
  const bold = isInHead ? "" : "**";
  const before = [
    beforeAll(parts, isInHead),
    parts.asksRemedy && likeliest !== undefined ? composeRemedy(likeliest, view) : "",
  ].join("");
  const tail = [
    ...(isWide || likeliest === undefined ? [] : causeNotRead(likeliest, limits)),
    ...sameNameLines(notMeant),
    ...parts.setAside,
    ...asideLines(aside),
    ...limitLines(limits),
  ];
  if (findings.length === 0) {
    const outcome =
      unsure !== undefined
        ? `${verdict === undefined ? "" : "more "}cannot be judged: ${unsure}`
        : aside.length > 0
          ? "nothing of what was asked about was found (Healthy)"
          : "nothing is wrong in what was read (Healthy)";
    const isHealthy = unsure === undefined && aside.length === 0;
    const isSaid = isHealthy && verdict !== undefined;
    const lines = healthy.filter(({ text = "" }) => !before.includes(escaped(text)));
    return fit(
      [
        isSaid
          ? before
              .trimEnd()
              .replace(
                /\.$/,
                verdict.isHealth === true ? " (Healthy)." : ". Nothing is wrong (Healthy).",
              )
          : `${before}**${escaped(subject)}: ${outcome}.**`,
        lines.map((line) => `- ${printLine(line, view.now)}`).join("\n"),
      ],
      tail,
    );
  }
  const now = findings.filter(({ current }) => current);
  const past = findings.filter(({ current }) => !current);
  const listed = [...now, ...past];
  const [first] = listed;
  const head =
    first === undefined || now.length === 0
      ? `${before}**${escaped(subject)}: nothing is wrong now; what happened before:**`
      : `${before}${yes}${bold}${escaped(composeHeadline(first, subject, view, isInHead ? 24 : 25))}.${bold}${now.length > 1 ? ` ${now.length} findings, the likeliest cause first.` : ""}`;
  const isBoard = now.length >= minBoard || (isWide && now.length > 1);
  const blocks = listed.slice(0, inFull.length).map((one, index) =>
    composeBlock(one, {
      number: listed.length > 1 ? index + 1 : undefined,
      lines: inFull[index] ?? 0,
      isRepaired: parts.asksRemedy && one === likeliest,
      said: index === 0 && first !== undefined ? composeHeadline(first, subject, view) : "",
      view,
    }),
  );
  if (isBoard)
    return fit(
      [
        [
          `${before}${yes}${bold}${escaped(composeBoardHead(now, subject, view))}.${bold}`,
          printBoard(listed, view, maxAnswer - tail.join("\n").length - before.length - 180),
        ].join("\n\n"),
        ...blocks,
      ],
      tail,
      "Details of the others are in metadata.facts.",
    );
  const short = listed
    .slice(inFull.length, inFull.length + maxShort)
    .map(
      (one) =>
        `- ${one.signal}, ${code(toObjectId(one.object))}: ${escaped(quote(one.summary, 140))}`,
    );
  const left = listed.length - inFull.length - short.length;
  return fit(
    [
      head,
      ...blocks,
      ...(short.length === 0 ? [] : [`Also found:\n\n${short.join("\n")}`]),
      ...(left > 0 ? [`And ${left} more, in the facts.`] : []),
    ],
    tail,
  );
}

/** That the cause of a failure cannot be told, where only the failure was read. */
function causeNotRead(first: Finding, { logs, withoutEvents }: Limits): readonly string[] {
  const kinds = new Set(
    withAllSymptoms(first).flatMap(({ evidence }) => evidence.map(({ kind }) => kind)),
  );
  // Others may have events, and this one none.
  const isWithout = withoutEvents || (!kinds.has("event") && !kinds.has("log"));
  const lacking = [...(isWithout ? ["events"] : []), ...(logs.length > 0 ? ["its log"] : [])];
  return chooseBasis(first.signal, kinds) === "ended" && lacking.length > 0
    ? [
        `Why it is so cannot be told from what was read: ${lacking.join(" and ")} would say it, and were not read.`,
      ]
    : [];
}

/** Yes or no, and that a thing is elsewhere. */
function beforeAll({ verdict, note }: AnswerParts, isVerdictInHead: boolean): string {
  const lines = [
    ...(verdict === undefined || isVerdictInHead ? [] : [verdictLine(verdict)]),
    ...(note === undefined ? [] : [escaped(note)]),
  ];
  return lines.map((line) => `${line}\n\n`).join("");
}

/** `**Yes**: shop/Deployment/web is ready: 1/1 ready.` */
export function verdictLine({ holds, text }: Verdict): string {
  return `**${holds ? "Yes" : "No"}**: ${escaped(text)}.`;
}

function sameNameLines(notMeant: readonly KubernetesObject[]): readonly string[] {
  if (notMeant.length === 0) return [];
  const names = notMeant.slice(0, 8).map((one) => code(toObjectId(one)));
  return [`The same name, and nothing wrong: ${names.join(", ")}.`];
}

/** Lists findings that are irrelevant to the question, so that no answer hides them. */
function asideLines(aside: readonly Finding[]): readonly string[] {
  if (aside.length === 0) return [];
  const named = aside.slice(0, 3).map((one) => `${one.signal} on ${code(toObjectId(one.object))}`);
  const left = aside.length - named.length;
  return [`Found elsewhere: ${named.join(", ")}${left > 0 ? ` and ${left} more` : ""}.`];
}

function composeBlock(
  one: Finding,
  {
    number,
    lines,
    said,
    isRepaired,
    view,
  }: {
    readonly number: number | undefined;
    readonly lines: number;
    /** What the first sentence says of it. */
    readonly said: string;
    /** True where what to change is said already. */
    readonly isRepaired: boolean;
    readonly view: ClusterView;
  },
): string {
  const { signal, summary, others, evidence, next } = one;
  const more =
    others.length === 0
      ? ""
      : ` The same in ${others
          .slice(0, 5)
          .map((other) => code(other.metadata.name))
          .join(", ")}${others.length > 5 ? ` and ${others.length - 5} more` : ""}.`;
  const title = `${number === undefined ? "" : `${number}. `}**${signal}**${printState(one)}: ${escaped(sentence(summary))}${more}`;
  const indent = number === undefined ? "" : "   ";
  // Evidence that siblings share is printed once; the sources list all of it.
  const siblings = others.map((other) => `${toObjectId(other)}#`);
  const own = evidence.filter(({ id }) => !siblings.some((start) => id.startsWith(start)));
  const known = new Set([...readTokens(said), ...readTokens(summary)]);
  const shown = withoutRepeats(own.length > 0 ? own : evidence, known, `${toObjectId(one.object)}#`)
    .slice(0, lines)
    .map((item) => `${indent}- ${evidenceLine(item, one.object)}`);
  const below = withAllSymptoms(one)
    .slice(1)
    .slice(0, 3)
    .map(
      (symptom, index) =>
        // The symptom's own summary describes the effect on the requested object.
        `${symptom.signal} of ${code(toObjectId(symptom.object))} (${escaped(quote(symptom.summary, index === 0 ? 300 : 110))})`,
    );
  const shows = below.length === 0 ? [] : [`${indent}- Leads to: ${below.join("; ")}`];
  const check =
    next.length === 0 ? [] : [`${indent}- Next: ${next.slice(0, 2).map(code).join(", ")}`];
  return [
    title,
    "",
    ...shown,
    ...shows,
    ...(isRepaired ? [] : changeLines(one, indent, known, view)),
    ...check,
  ].join("\n");
}

/** What to change, before what is wrong. Empty where the spec does not show it. */
function composeRemedy(one: Finding, view: ClusterView): string {
  const change = proposeChange(one, view);
  return change === undefined
    ? ""
    : `**To repair ${escaped(toObjectId(findTopOwner(one.object, view)))}: ${escaped(quote(change.what, maxRemedy))}.** ${code(change.command)} (not run)\n\n`;
}

/** What would have to change, as a command that is printed and never run, and how to take it back. */
function changeLines(
  one: Finding,
  indent: string,
  known: ReadonlySet<string>,
  view: ClusterView,
): readonly string[] {
  const change = proposeChange(one, view);
  if (change === undefined) return [];
  const back =
    change.undo === undefined ? "cannot be taken back" : `back with ${code(change.undo)}`;
  return [
    `${indent}- Change: ${isKnown(readTokens(change.what), known, maxNew) ? "" : `${escaped(quote(change.what, 260))}: `}${code(change.command)} (not run; ${back})`,
  ];
}

/** Maximum share of new words in what is not said again. A line of a log is said again unless it has none. */
const maxNew = 0.3;
/** The same for a field of another object, which is a fact of its own unless it repeats a sentence. */
const maxNewOfOther = 0.15;
const minRepeated = 6;
/** Characters of a chain of errors that is shown whole, and errors of one that is not. */
const maxChain = 160;
const minChain = 4;
/** Letters that "restarting" and "restarts" share. */
const maxStem = 5;

/** Ids and moments, which differ between two reports of one thing. */
const unlike =
  /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<!\d)\d{4}-\d\d-\d\dT[\d:.]{8,20}Z?|(?<!\w)\d{1,3}m\d{1,2}s(?!\w)/g;
/** Words of fields that every state of a container or a condition has. */
const ofStates: ReadonlySet<string> = new Set(
  "waiting terminated reason message finished started status state last false true".split(" "),
);

/** Beginnings of the words of a text that say something. */
function readTokens(text: string): readonly string[] {
  return text
    .replace(unlike, " ")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !isFunctionWord(word) && !ofStates.has(word))
    .map((word) => word.slice(0, maxStem));
}

/** True for words of which no more than a share is new. */
function isKnown(tokens: readonly string[], known: ReadonlySet<string>, share: number): boolean {
  return tokens.filter((word) => !known.has(word)).length <= tokens.length * share;
}

/**
 * Selects evidence that says more than what is said already, and fields of other objects.
 *
 * @param start - What the ids of evidence from the object itself begin with.
 */
function withoutRepeats(
  evidence: readonly Evidence[],
  known: ReadonlySet<string>,
  start: string,
): readonly Evidence[] {
  const all = new Set(known);
  return evidence.flatMap((item) => {
    const text = item.kind === "event" ? withoutLinks(item.text) : item.text;
    const tokens = readTokens(text);
    const isOfOther = item.kind === "object" && !item.id.startsWith(start);
    const isRepeated = isOfOther
      ? tokens.length >= minRepeated && isKnown(tokens, all, maxNewOfOther)
      : isKnown(tokens, all, item.kind === "log" ? 0 : maxNew);
    if (isRepeated) return [];
    for (const word of tokens) all.add(word);
    return [{ ...item, text }];
  });
}

/** A long chain of errors without those between the first and the last, which pass it on: `Failed to pull image: … not found`. */
function withoutLinks(text: string): string {
  const parts = text.split(": ");
  return text.length <= maxChain || parts.length < minChain
    ? text
    : [...parts.slice(0, 1), `… ${parts.slice(-2).join(": ")}`].join(": ");
}

/** A line of evidence: what was read, and of what where it is of another object. Paths are in the sources. */
export function evidenceLine({ id, text, kind }: Evidence, object?: KubernetesObject): string {
  if (kind === "log") return `log: ${code(text)}`;
  if (kind === "event") return `event ${code(text)}`;
  const [owner = "", path = ""] = id.split("#");
  const isOwn = object !== undefined && owner === toObjectId(object);
  const field = path.split(/[.[{]/).at(-1)?.replace(/[\]}]/g, "") ?? "";
  const name = /^[a-zA-Z]+$/.test(field) && !text.includes(field) ? `${field} ` : "";
  return `${isOwn ? "" : `${code(owner)}: `}${name}${escaped(text)}`;
}

function printState({ current, standing }: Finding): string {
  if (standing?.kind === "recurring") return " (again and again)";
  return current ? "" : " (earlier)";
}

function sentence(text: string): string {
  const line = quote(text, 420);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Keeps whole blocks while there is room. The end always stays. */
function fit(
  blocks: readonly string[],
  tail: readonly string[],
  more = "More was found than fits here; the facts have it all.",
): string {
  const end = tail.join("\n");
  const room = maxAnswer - end.length - 60;
  let text = "";
  let cut = false;
  for (const block of blocks) {
    if (block === "") continue;
    const next = text === "" ? block : `${text}\n\n${block}`;
    if (next.length <= room) {
      text = next;
      continue;
    }
    cut = true;
    if (text.length < room / 2) {
      // Whole lines of a block that is too long.
      for (const line of block.split("\n")) {
        if (text.length + line.length + 2 > room) break;
        text = `${text}\n${line}`;
      }
    }
    break;
  }
  const note = cut ? more : "";
  return [text, [note, end].filter((part) => part !== "").join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}
