import { refusalTexts } from "../refusal-texts.js";

/**
 * Sentences that state that the knowledge base has nothing on a subject. Each pattern allows a
 * bounded number of words between its parts, so that no text makes it slow.
 */
const forms: readonly RegExp[] = [
  // I don't have any information about, we do not have detailed documentation on
  /\b(?:i|we|docs|documentation|base|pages?|sources?|sections?|it)\s+(?:(?:do|does|did)\s+not|(?:do|does|did)n['’]?t|lacks?|has\s+no|have\s+no|had\s+no)\s+(?:[\w-]+\s+){0,4}(?:information|documentation|documented|details?|data|knowledge|material|anything|answers?|content|guidance|entry|entries|mention)\b/i,
  // the documentation does not cover, it doesn't mention
  /\b(?:i|we|docs|documentation|base|pages?|files?|sources?|sections?|corpus|it|they)\s+(?:(?:do|does|did)\s+not|(?:do|does|did)n['’]?t)\s+(?:[\w-]+\s+){0,2}(?:contain|cover|mention|describe|document|explain|address|include|specify|say|know|discuss)\b/i,
  // I could not find, we were unable to locate, I found nothing
  /\b(?:i|we)\s+(?:could\s*n['’]?t|could\s+not|can\s*not|can['’]t|was\s+unable\s+to|were\s+unable\s+to|am\s+unable\s+to|did\s+not|didn['’]t)\s+(?:[\w-]+\s+){0,2}(?:find|locate|answer|determine|tell|say)\b/i,
  /\b(?:found|have|has|contains?|holds?|know|is|was|are|were)\s+(?:nothing|no|none)\b\s*(?:[\w-]+\s+){0,3}(?:about|on|for|that|information|documentation|details?|results?|mentions?|sections?|pages?|answers?|sources?|material|matches|found)\b/i,
  /^\W*(?:nothing|no)\s+(?:[\w-]+\s+){0,3}(?:about|on|information|documentation|details?|results?|mentions?|sections?|pages?|answers?|sources?|material|matches)\b/i,
  // is not documented, isn't covered here, not in my knowledge base
  /\b(?:not|isn['’]t|aren['’]t|wasn['’]t|never|nowhere)\s+(?:[\w-]+\s+){0,2}(?:documented|covered|mentioned|described|explained)\b/i,
  /\b(?:not|n['’]t|nowhere)\s+(?:be\s+)?found\s+(?:anything|any|information|in\s+(?:my|our|the|this|any))\b/i,
  /\bnot\s+(?:part\s+of|in)\s+(?:my|our|the|this)\s+(?:[\w-]+\s+){0,2}(?:knowledge|documentation|docs|domain)\b/i,
  /\b(?:outside|beyond)\s+(?:of\s+)?(?:my|our|the|this)\s+(?:[\w-]+\s+){0,3}(?:domain|knowledge|documentation|docs|scope|expertise|subject)\b/i,
  /\bundocumented\b/i,
];

/**
 * Maximum number of characters that are read: an answer states a lack of information at its
 * beginning.
 */
const lookedAt = 4_000;

/** Whether a text states that there is no information on its subject: in English, or as refusals of this librarian do. */
export function statesLack(text: string): boolean {
  const beginning = text.slice(0, lookedAt);
  return (
    forms.some((form) => form.test(beginning)) ||
    Object.values(refusalTexts).some(({ lack }) => beginning.includes(lack))
  );
}
