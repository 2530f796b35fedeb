import { splitSentences } from "./alignment.js";
import { containsToken } from "./evidence/contains-token.js";
import type { Evidence } from "./evidence/evidence.js";
import { foldText } from "./evidence/section-text.js";
import { finding, type NavigatorFinding } from "./finding.js";
import type { NavigatorResponse } from "./navigator-response.js";
import { extractTokens, type PatternToken } from "./patterns/extract-tokens.js";
import { statesLack } from "./stated-lack.js";

/** Options of {@link checkTokens}. */
export interface TokenCheck {
  readonly evidence: Evidence;
  /** The question: tokens that occur in it are not made up by the answer. */
  readonly query: string;
  /** Maximum number of tokens that are looked up. */
  readonly maxTokens: number;
}

/**
 * Looks up every token of the answer that can be checked without a model. In the reasons and
 * topics, only URLs, ARNs, paths and commands are looked up, and only warned of.
 */
export function checkTokens(
  response: NavigatorResponse,
  { evidence, query, maxTokens }: TokenCheck,
): readonly NavigatorFinding[] {
  const { answer } = response;
  const tokens = extractTokens(answer, maxTokens + 1);
  if (tokens.length > maxTokens) {
    const message = `The answer has more than ${maxTokens} names and numbers to look up.`;
    return [finding("error", "limits", "answer", answer, message)];
  }
  // A cited file that does not exist is reported once, at its citation.
  const reported = new Set(
    response.sources.map(({ file }) => file).filter((file) => !evidence.citedFiles.has(file)),
  );
  const asked = readQueryNames(query, maxTokens);
  const findings = tokens.flatMap((each) => {
    const { kind } = each.pattern;
    if (kind === "path" && reported.has(each.token.text)) return [];
    const found = judge(each, answer, evidence, asked);
    return found === undefined ? [] : [found];
  });
  return [...findings, ...checkOtherFields(response, evidence, asked)];
}

function judge(
  { pattern, token, key }: PatternToken,
  answer: string,
  evidence: Evidence,
  asked: QueryNames,
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
      `The answer repeats ${name} from the question; the knowledge base does not contain it.`,
    );
  }
  if (standing === "elsewhere" && !mustBeCited) {
    return report(
      "warning",
      `No cited section contains ${name} in this form; check the citations.`,
    );
  }
  const who = mustBeCited ? "No cited section" : "Nothing in the knowledge base";
  const isUnclaimed = statesLack(sentenceAround(answer, token.start, token.end));
  return report(isUnclaimed ? "warning" : "error", `${who} contains ${name}.`);
}

/** Tokens of the question: by key, or as written. */
interface QueryNames {
  has(key: string, text: string): boolean;
}

function readQueryNames(query: string, maxTokens: number): QueryNames {
  const keys = new Set(extractTokens(query, maxTokens).map(({ key }) => key));
  const text = foldText(query).replaceAll("`", "");
  return { has: (key, token) => keys.has(key) || containsToken(text, foldText(token), "name") };
}

/** Kinds that a reader follows or runs: made-up ones do most harm. */
const leading: ReadonlySet<string> = new Set(["arn", "url", "path", "command"]);

/** Maximum number of tokens looked up in a reason or a list of topics. */
const maxTokensInField = 100;

function checkOtherFields(
  { sources, confidenceReason, relatedTopics = [] }: NavigatorResponse,
  evidence: Evidence,
  asked: QueryNames,
): readonly NavigatorFinding[] {
  const fields: readonly (readonly [string, string])[] = [
    ["confidenceReason", confidenceReason],
    ...sources.map(({ relevance }, order) => [`sources[${order}].relevance`, relevance] as const),
    ...relatedTopics.map((topic, order) => [`relatedTopics[${order}]`, topic] as const),
  ];
  return fields.flatMap(([field, text]) =>
    extractTokens(text, maxTokensInField).flatMap(({ pattern, token, key }) => {
      if (!leading.has(pattern.kind) || asked.has(key, token.text)) return [];
      if (pattern.find(token, evidence) !== "nowhere") return [];
      const message = `Nothing in the knowledge base contains ${pattern.noun} "${shorten(token.text)}".`;
      return [finding("warning", "hallucination", field, token.text, message, pattern.kind)];
    }),
  );
}

/** Whether the sentence around a token denies it, or states that it is unknown. */
function isDenied(answer: string, start: number, end: number): boolean {
  const sentence = sentenceAround(answer, start, end);
  return (
    statesLack(sentence) ||
    /\b(?:no|not|never|nothing|cannot|without|unsupported|unknown|neither|nor)\b|n['’]t\b/i.test(
      sentence,
    )
  );
}

/**
 * The part of the sentence around a position, at most 600 characters; "but" begins another part.
 */
function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 300), start);
  const after = text.slice(end, end + 300);
  const first = splitSentences(before).at(-1)?.split(turn).at(-1) ?? "";
  const last = splitSentences(after)[0]?.split(turn)[0] ?? "";
  return `${first}${text.slice(start, end)}${last}`;
}

const turn = /\b(?:but|however|instead|although|though|still|yet)\b|;/i;

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
