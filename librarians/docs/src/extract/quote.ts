import type { Section } from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";
import type { Unit } from "./units.js";

/** From this length on, a section is quoted in part. Characters. */
const wholeLength = 700;
/** Least share of a section's heading that a query about it has. */
const aboutShare = 0.5;

/**
 * Quotes a section: whole where it is short, from its beginning where its heading is what was asked
 * for, else what bears most on the query; with the code or the list that a quoted sentence announces.
 *
 * @returns At most `room` characters, in the order of the page. Pieces that do not follow each other
 *   are parted by a blank line; nothing is added but the fence that closes code that had to be cut.
 */
export function quote(
  section: Section,
  units: readonly Unit[],
  weights: QueryWeights,
  room: number,
): string {
  const size = (some: readonly Unit[]) => some.reduce((sum, { text }) => sum + text.length + 2, 0);
  if (size(units) <= Math.min(room, wholeLength)) return print(units, units, room);
  const heading = weights.read(section.heading);
  const asked = heading.filter((term) => weights.share([term]) > 0).length;
  const isAbout = heading.length > 0 && asked / heading.length >= aboutShare;
  const goal = Math.min(room, isAbout ? 1_100 : 800);
  const taken = new Set<Unit>();
  let length = 0;
  const take = (unit: Unit | undefined, most = goal): boolean => {
    if (unit === undefined || taken.has(unit)) return false;
    if (length + unit.text.length + 2 > most && taken.size > 0) return false;
    taken.add(unit);
    length += unit.text.length + 2;
    return true;
  };

  const ranked = rank(units, weights);
  if (isAbout) take(units[0]);
  for (const unit of ranked) {
    if (length >= goal) break;
    if (take(unit)) takeAnnounced(unit);
  }
  if (isAbout) {
    // The command or the setting is what a reader of a how-to comes for.
    take(
      units.find(({ kind }) => kind === "code"),
      Math.min(room, goal + 600),
    );
    for (const unit of units) if (!take(unit)) break;
  }
  return print(units, withoutOpenEnds(units, taken), room);

  /** What comes after "as follows:" belongs to it. */
  function takeAnnounced(unit: Unit): void {
    if (!announces(unit)) return;
    const at = units.indexOf(unit);
    const next = units[at + 1];
    const announced =
      next?.kind === "code"
        ? [next]
        : units.slice(at + 1, at + 9).filter(({ kind }, place, rest) => {
            const sameKind = rest.slice(0, place + 1).every((each) => each.kind === next?.kind);
            return kind !== "sentence" && sameKind;
          });
    for (const each of announced) if (!take(each, Math.min(room, goal + 600))) break;
  }
}

/** Leaves out what announces something that was not taken, where anything else is left. */
function withoutOpenEnds(units: readonly Unit[], taken: ReadonlySet<Unit>): readonly Unit[] {
  const chosen = units.filter((unit, at) =>
    !taken.has(unit) ? false : !announces(unit) || taken.has(units[at + 1] ?? unit),
  );
  const closed = chosen.filter((unit) => !(announces(unit) && unit === units.at(-1)));
  return closed.length > 0 ? closed : [...taken];
}

function announces({ text }: Unit): boolean {
  return /:[*_`]{0,5}$/.test(text.slice(-6));
}

/** By what each adds to the words that the others before it have; later ones win no tie. */
function rank(units: readonly Unit[], weights: QueryWeights): readonly Unit[] {
  const left = new Set(units);
  const covered = new Set<string>();
  const ranked: Unit[] = [];
  while (ranked.length < 12) {
    let best: { unit: Unit; worth: number } | undefined;
    for (const unit of left) {
      const terms = [...unit.terms];
      const all = weights.share(terms);
      const fresh = weights.share(terms.filter((term) => !covered.has(term)));
      // Code repeats words of prose; a sentence says more.
      const worth = (0.4 * all + fresh) * (unit.kind === "code" ? 0.8 : 1);
      if (all > 0 && worth > (best?.worth ?? 0)) best = { unit, worth };
    }
    if (best === undefined) break;
    left.delete(best.unit);
    ranked.push(best.unit);
    for (const term of best.unit.terms) covered.add(term);
  }
  return ranked.length > 0 ? ranked : units.slice(0, 2);
}

function print(units: readonly Unit[], taken: readonly Unit[], room: number): string {
  let text = "";
  let previous: { unit: Unit; at: number } | undefined;
  for (const [at, unit] of units.entries()) {
    if (!taken.includes(unit)) continue;
    if (previous === undefined) text = unit.text;
    else {
      const follows = at === previous.at + 1;
      if (follows && unit.kind === "row" && previous.unit.kind === "row") {
        text += `\n${unit.text.slice(unit.text.lastIndexOf("\n") + 1)}`;
      } else if (follows && unit.kind === previous.unit.kind && unit.kind !== "code") {
        text +=
          unit.block === previous.unit.block
            ? ` ${unit.text}`
            : unit.kind === "item"
              ? `\n${unit.text}`
              : `\n\n${unit.text}`;
      } else text += `\n\n${unit.text}`;
    }
    previous = { unit, at };
  }
  return text.length <= room ? text : cut(text, room);
}

/** Cuts at the end of a line, else of a word, and closes a block of code that was cut. */
function cut(text: string, room: number): string {
  const kept = text.slice(0, Math.max(0, room - 80)); // the longest fence that is closed has 70 characters
  const lineEnd = kept.lastIndexOf("\n");
  const wordEnd = kept.lastIndexOf(" ");
  const end = lineEnd > room / 3 ? lineEnd : wordEnd > 0 ? wordEnd : kept.length;
  const whole = kept.slice(0, end);
  const fence = openFence(whole);
  return fence === undefined ? whole : `${whole}\n${fence}`;
}

/** The fence, with what is before it, of a code block that has begun and not ended. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = "", info] of text.matchAll(/^([ \t]{0,10}(?:`{3,60}|~{3,60}))(.*)$/gm)) {
    if (open === undefined) open = fence;
    else if (info?.trim() === "" && fence.trim().startsWith(open.trim())) open = undefined;
  }
  return open;
}
