import type { Delegate, DelegateRequest, Librarian } from "@constellation/core";

/**
 * Reads a question and passes each part of it to those whose name, description, capabilities or
 * examples share words with it. Where no part shares a word with anybody, everybody is asked.
 */
export const frontDesk: Librarian = async (query, context) => {
  const delegates = context?.availableDelegates ?? [];
  if (delegates.length === 0) {
    const message = "There is nobody to pass the question to.";
    return { error: { code: "DELEGATION_FAILED", message } };
  }
  const chosen = choose(query, delegates);
  return { delegate: chosen.length > 0 ? chosen : everybody(delegates) };
};

function choose(query: string, delegates: readonly Delegate[]): readonly DelegateRequest[] {
  const subjects = delegates.map(subjectOf);
  // A word that all of them use does not tell them apart.
  const tells = (word: string) =>
    delegates.length === 1 || !subjects.every((subject) => hasWord(subject, word));
  const sharedBy = (part: string) => {
    const words = wordsOf(part).filter(tells);
    return subjects.map((subject) => words.filter((word) => hasWord(subject, word)));
  };
  const parts = partsOf(query, (part) => sharedBy(part).some((words) => words.length > 0));
  const shared = parts.map(sharedBy);

  return delegates.flatMap(({ id }, place) => {
    const own = parts.filter((_, part) => isFor(shared[part] ?? [], place));
    const words = new Set(shared.flatMap((byDelegate) => byDelegate[place] ?? []));
    if (own.length === 0) return [];
    const context = { reason: `it knows about ${[...words].join(", ")}` };
    if (own.length === parts.length) return { to: id, context };
    return { to: id, query: `${own.join("; ")}${query.includes("?") ? "?" : ""}`, context };
  });
}

/** Parts of a question, by sentence, comma and "and"; one that names no subject stays with its neighbour. */
function partsOf(query: string, hasSubject: (part: string) => boolean): readonly string[] {
  const parts: string[] = [];
  for (const part of query.split(/(?<=[.?!;]\s)|(?=,\s)|(?<!,)(?=\sand\s)/i)) {
    const last = parts.at(-1);
    if (last === undefined || (hasSubject(last) && hasSubject(part))) parts.push(part);
    else parts[parts.length - 1] = last + part;
  }
  return parts.map((part) => part.replace(/^[\s,]+(?:and\s+)?/i, "").replace(/[\s,.?!;]+$/, ""));
}

/** Whether a part of a question is for a delegate: nobody shares more than twice as many words. */
function isFor(shared: readonly (readonly string[])[], place: number): boolean {
  const most = Math.max(...shared.map((words) => words.length));
  const own = shared[place]?.length ?? 0;
  return own > 0 && own >= most / 2;
}

function everybody(delegates: readonly Delegate[]): readonly DelegateRequest[] {
  const reason = "no word of the question names a subject, so everybody is asked";
  return delegates.map(({ id }) => ({ to: id, context: { reason } }));
}

function subjectOf({ id, name, description, capabilities, examples }: Delegate): readonly string[] {
  return wordsOf([id, name, description, capabilities, examples].flat().join(" "));
}

function hasWord(subject: readonly string[], word: string): boolean {
  return subject.some((known) => known === word || beginsAlike(known, word));
}

/** Forms of one word: rollout and rollouts, crash and crashing, migrate and migration. */
function beginsAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long === `${short}s`) return true;
  return short.length > 4 && long.startsWith(short.length > 5 ? short.slice(0, -1) : short);
}

function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > 1 && !saysNothing.has(word));
}

const saysNothing: ReadonlySet<string> = new Set(
  `about after all am an and any are as at back be because been but by can check did do does for from get
  got had has have how if in into is it its last me my not now of off on or our out see should since
  that the their them then there they this to up was we what when where which why will with you`.split(
    /\s+/,
  ),
);
