import { sentencesOf } from "./alignment.js";
import type { Evidence } from "./evidence/evidence.js";
import { foldText } from "./evidence/section-text.js";
import { standsIn } from "./evidence/stands-in.js";
import { finding, type NavigatorFinding } from "./finding.js";
import type { NavigatorResponse } from "./navigator-response.js";
import { extractTokens, type PatternToken } from "./patterns/extract-tokens.js";
import { statesLack } from "./stated-lack.js";

/** What {@link checkTokens} gets beside the response. */
export interface TokenCheck {
  readonly evidence: Evidence;
  /** The question: what is in it is not made up by the answer. */
  readonly query: string;
  /** Most tokens that are looked up. */
  readonly mostTokens: number;
}

/**
 * Looks up every token of the answer that can be checked without a model. Those in the reasons and
 * topics are looked up too, for what should lead somewhere, and only warned of.
 */
export function checkTokens(
  response: NavigatorResponse,
  { evidence, query, mostTokens }: TokenCheck,
): readonly NavigatorFinding[] {
  const { answer } = response;
  const tokens = extractTokens(answer, mostTokens + 1);
  if (tokens.length > mostTokens) {
    const message = `The answer has more than ${mostTokens} names and numbers to look up.`;
    return [finding("error", "limits", "answer", answer, message)];
  }
  // A file cited and not there is reported once, where it is cited.
  const told = new Set(
    response.sources.map(({ file }) => file).filter((file) => !evidence.citedFiles.has(file)),
  );
  const asked = askedFor(query, mostTokens);
  const findings = tokens.flatMap((each) => {
    const { kind } = each.pattern;
    if (kind === "path" && told.has(each.token.text)) return [];
    const found = judge(each, answer, evidence, asked);
    return found === undefined ? [] : [found];
  });
  return [...findings, ...checkOtherFields(response, evidence, asked)];
}

function judge(
  { pattern, token, key }: PatternToken,
  answer: string,
  evidence: Evidence,
  asked: Asked,
): NavigatorFinding | undefined {
  const standing = pattern.find(token, evidence);
  if (standing === "cited") return undefined;
  const { kind, noun, mustBeCited } = pattern;
  const report = (level: NavigatorFinding["level"], message: string) =>
    finding(level, "hallucination", "answer", token.text, message, kind);
  const name = `${noun} "${shorten(token.text)}"`;

  if (asked.has(key, token.text)) {
    if (standing === "elsewhere" || mustBeCited) return undefined;
    if (isDenied(answer, token.start, token.end)) return undefined;
    return report(
      "warning",
      `The answer speaks of ${name} as the question does; it stands nowhere in the knowledge base.`,
    );
  }
  if (standing === "elsewhere" && !mustBeCited) {
    return report("warning", `No cited section has ${name} in this form; check what is cited.`);
  }
  const who = mustBeCited ? "No cited section" : "Nothing in the knowledge base";
  const isUnclaimed = statesLack(sentenceAround(answer, token.start, token.end));
  return report(isUnclaimed ? "warning" : "error", `${who} has ${name}.`);
}

/** What the question names: by key, or as it stands there. */
interface Asked {
  has(key: string, text: string): boolean;
}

function askedFor(query: string, most: number): Asked {
  const keys = new Set(extractTokens(query, most).map(({ key }) => key));
  const text = foldText(query).replaceAll("`", "");
  return { has: (key, token) => keys.has(key) || standsIn(text, foldText(token), "name") };
}

/** Kinds that lead somewhere: to follow one that is made up costs the reader most. */
const leading: ReadonlySet<string> = new Set(["arn", "url", "path", "command"]);

/** Most tokens looked up in a reason or a list of topics. */
const mostInField = 100;

function checkOtherFields(
  { sources, confidenceReason, relatedTopics = [] }: NavigatorResponse,
  evidence: Evidence,
  asked: Asked,
): readonly NavigatorFinding[] {
  const fields: readonly (readonly [string, string])[] = [
    ["confidenceReason", confidenceReason],
    ...sources.map(({ relevance }, order) => [`sources[${order}].relevance`, relevance] as const),
    ...relatedTopics.map((topic, order) => [`relatedTopics[${order}]`, topic] as const),
  ];
  return fields.flatMap(([field, text]) =>
    extractTokens(text, mostInField).flatMap(({ pattern, token, key }) => {
      if (!leading.has(pattern.kind) || asked.has(key, token.text)) return [];
      if (pattern.find(token, evidence) !== "nowhere") return [];
      const message = `Nothing in the knowledge base has ${pattern.noun} "${shorten(token.text)}".`;
      return [finding("warning", "hallucination", field, token.text, message, pattern.kind)];
    }),
  );
}

/** Whether the sentence around a token says that it is not so, or not known. */
function isDenied(answer: string, start: number, end: number): boolean {
  const sentence = sentenceAround(answer, start, end);
  return (
    statesLack(sentence) ||
    /\b(?:no|not|never|nothing|cannot|without|unsupported|unknown|neither|nor)\b|n['’]t\b/i.test(
      sentence,
    )
  );
}

/** The part of the sentence around a place, 600 characters at most; "but" begins another part. */
function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 300), start);
  const after = text.slice(end, end + 300);
  const first = sentencesOf(before).at(-1)?.split(turn).at(-1) ?? "";
  const last = sentencesOf(after)[0]?.split(turn)[0] ?? "";
  return `${first}${text.slice(start, end)}${last}`;
}

const turn = /\b(?:but|however|instead|although|though|still|yet)\b|;/i;

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
