import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Evidence, Finding } from "../diagnosis/finding.js";
import { idOf } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { type Limits, limitLines } from "./limits.js";
import { code, escaped } from "./markdown.js";

/** Most characters of an answer. */
export const longestAnswer = 4_000;
/** Findings that are told in full; the others have a line each. */
const inFull = 4;

/** What an answer is made of. */
export interface AnswerParts {
  /** What the question is about: `shop/Deployment/api`, `namespace shop`, `the cluster`. */
  readonly subject: string;
  readonly findings: readonly Finding[];
  /** Things of the same name in which nothing is wrong. */
  readonly notMeant: readonly KubernetesObject[];
  /** Findings that the question did not ask for. */
  readonly aside: number;
  /** Why nothing is wrong, where nothing is. */
  readonly healthy: readonly string[];
  readonly limits: Limits;
}

/** Writes an answer: causes first, each with what shows it and what to look at next. */
export function composeAnswer(parts: AnswerParts): string {
  const { subject, findings, notMeant, aside, healthy, limits } = parts;
  const tail = [...sameNameLines(notMeant), ...limitLines(limits)];
  const rest =
    aside === 0
      ? []
      : [
          `${aside} other ${aside === 1 ? "finding does" : "findings do"} not bear on this question.`,
        ];
  if (findings.length === 0) {
    return fit(
      [
        `**${escaped(subject)}: ${aside > 0 ? "nothing of what was asked about was found" : "nothing is wrong that can be read from the cluster"} (Healthy).**`,
        ...healthy.map((line) => `- ${line}`),
      ],
      [...rest, ...tail],
    );
  }
  const now = findings.filter(({ current }) => current);
  const past = findings.filter(({ current }) => !current);
  const head =
    now.length === 0
      ? `**${escaped(subject)}: nothing is wrong now; what happened before:**`
      : now.length === 1
        ? `**${escaped(subject)}: ${now[0]?.signal ?? ""}.**`
        : `**${escaped(subject)}: ${now.length} findings, likeliest cause first.**`;
  const told = [...now, ...past];
  const blocks = told
    .slice(0, inFull)
    .map((one, index) => blockOf(one, told.length > 1 ? index + 1 : undefined));
  const short = told
    .slice(inFull, inFull + 12)
    .map(
      (one) => `- ${one.signal}: ${escaped(quote(one.summary, 160))} (${code(idOf(one.object))})`,
    );
  const left = told.length - inFull - short.length;
  return fit(
    [
      head,
      ...blocks,
      ...(short.length === 0 ? [] : [`Also found:\n\n${short.join("\n")}`]),
      ...(left > 0 ? [`And ${left} more.`] : []),
    ],
    [...rest, ...tail],
  );
}

function sameNameLines(notMeant: readonly KubernetesObject[]): readonly string[] {
  if (notMeant.length === 0) return [];
  const names = notMeant.slice(0, 8).map((one) => code(idOf(one)));
  return [`The same name, and nothing wrong: ${names.join(", ")}.`];
}

function blockOf(one: Finding, number: number | undefined): string {
  const { signal, summary, others, evidence, next, current } = one;
  const more =
    others.length === 0
      ? ""
      : ` The same in ${others
          .slice(0, 8)
          .map((other) => code(idOf(other)))
          .join(", ")}${others.length > 8 ? ` and ${others.length - 8} more` : ""}.`;
  const title = `${number === undefined ? "" : `${number}. `}**${signal}**${current ? "" : " (earlier)"}: ${escaped(sentence(summary))}${more}`;
  const indent = number === undefined ? "" : "   ";
  const lines = evidence.slice(0, 7).map((item) => `${indent}- ${evidenceLine(item)}`);
  const below = withAllSymptoms(one)
    .slice(1)
    .slice(0, 5)
    .map(
      (symptom) =>
        `${symptom.signal}: ${escaped(quote(symptom.summary, 160))} (${code(idOf(symptom.object))})`,
    );
  const shows = below.length === 0 ? [] : [`${indent}- This shows as: ${below.join("; ")}`];
  const check =
    next.length === 0 ? [] : [`${indent}- Check next: ${next.slice(0, 2).map(code).join(", ")}`];
  return [title, "", ...lines, ...shows, ...check].join("\n");
}

/** A line of evidence: its source, and the quoted text. */
export function evidenceLine({ id, text, kind }: Evidence): string {
  return kind === "object" ? `${code(id)}: ${escaped(text)}` : `${code(id)}: ${code(text)}`;
}

function sentence(text: string): string {
  const line = quote(text, 420);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Whole blocks as long as there is room; what is at the end always stays. */
function fit(blocks: readonly string[], tail: readonly string[]): string {
  const end = tail.join("\n");
  let text = "";
  let cut = false;
  for (const block of blocks) {
    const room = longestAnswer - end.length - 60;
    const next = text === "" ? block : `${text}\n\n${block}`;
    if (next.length <= room) text = next;
    else if (text.length < room / 2) {
      // Whole lines of a block that is too long.
      for (const line of block.split("\n")) {
        if (text.length + line.length + 2 > room) break;
        text = `${text}\n${line}`;
      }
      cut = true;
      break;
    } else {
      cut = true;
      break;
    }
  }
  const note = cut ? "More was found than fits here; the facts have it all." : "";
  return [text, [note, end].filter((part) => part !== "").join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}
