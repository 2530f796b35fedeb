import type { Delegate } from "@constellation/core";
import type { Analyzer } from "@constellation/retrieval";
import type { DelegateIndex, WeighedWord } from "./delegate-index.js";
import { isCommon } from "./is-common.js";

/** Minimum number of words of a query that a delegate must have to be asked. */
const minWords = 2;
/** Nearness in meaning, in comparison with everyday subjects, that needs no word. */
const nearAlone = 0.06;
/** The same that needs one word. */
const nearWithWord = -0.05;

/** Whether what a delegate shares with a part of a query is evidence enough to ask it. */
export type IsSupported = (
  words: readonly WeighedWord[],
  ranked: { readonly member: Delegate; readonly near?: number },
) => boolean;

/**
 * Two words of the query, or one and its way of asking; or one that decides alone: the delegate's id or a
 * word of its name, an identifier, or a word that is not everyday English. One word is enough, too, where the query has no
 * other or the meaning is near; none where that is nearer still.
 */
export function createSupport(index: DelegateIndex, analyzer: Analyzer, text: string): IsSupported {
  const isOrder = ordersRouting(text);
  return (words, { member, near }) => {
    if (near !== undefined && near >= nearAlone && !isOrder) return true;
    const has = (word: WeighedWord) => index.has(word, member);
    const contents = words.filter(({ isForm }) => !isForm);
    const shared = contents.filter(has);
    if (shared.length === 0) return false;
    if (near !== undefined && near >= nearWithWord && !isOrder) return true;
    const forms = words.some((word) => word.isForm && has(word)) ? 1 : 0;
    if (new Set(shared.map(({ written }) => written)).size + forms >= minWords) return true;
    if (isOrder) return false; // the name in "route this to billing" is content, like any other text
    const isAlone = contents.every((word) => word.isExtra || shared.includes(word));
    return isAlone || shared.some(decides(analyzer, `${member.id} ${member.name ?? ""}`));
  };
}

function decides(analyzer: Analyzer, name: string): (word: WeighedWord) => boolean {
  const names = new Set(analyzer.terms(name).map(({ text }) => text));
  return ({ term, isIdentifier, isExtra }) =>
    isIdentifier || names.has(term) || (!isExtra && !isCommon(term));
}

/** What an order about where to send a question begins with, and how far from it "to" may stand. */
const routing = /\b(?:route|forward|redirect|delegate|transfer|hand|pass|send|escalate|assign)\b/gi;
const maxDistance = 60;
/** Maximum number of words of this kind that are looked at. */
const maxOrders = 20;

function ordersRouting(text: string): boolean {
  let looked = 0;
  for (const { index } of text.matchAll(routing)) {
    const [rest = ""] = text.slice(index, index + maxDistance).split(/[.?!\n]/, 1);
    if (/\bto\b/i.test(rest)) return true;
    if (++looked === maxOrders) return false;
  }
  return false;
}
