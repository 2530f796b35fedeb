/** A chance that was foretold, and what came of it. */
export interface Foretold {
  readonly chance: number;
  readonly is: boolean;
}

/** The cut below which a query is refused, with the best F1 for finding those that must be. */
export function bestF1Cut(
  answerable: readonly number[],
  others: readonly number[],
): { readonly cut: number; readonly f1: number } {
  let best = { cut: 0, f1: 0 };
  for (const cut of [...answerable, ...others]) {
    const caught = others.filter((chance) => chance < cut).length;
    const wrong = answerable.filter((chance) => chance < cut).length;
    const f1 = (2 * caught) / (caught + wrong + others.length);
    if (f1 > best.f1) best = { cut, f1 };
  }
  return best;
}

/** Share of the others that are refused when this share of the answerable is. */
export function caughtAt(
  falseRefusals: number,
  answerable: readonly number[],
  others: readonly number[],
): number {
  const sorted = [...answerable].sort((a, b) => a - b);
  const cut = sorted[Math.floor(falseRefusals * sorted.length)] ?? 0;
  return others.filter((chance) => chance < cut).length / Math.max(1, others.length);
}

/** The cut above which this share of all lies, and how many of these are right. */
export function highCut(
  all: readonly Foretold[],
  share: number,
): { readonly cut: number; readonly precision: number } {
  const sorted = [...all].sort((a, b) => b.chance - a.chance);
  const above = sorted.slice(0, Math.round(share * sorted.length));
  const precision = above.filter(({ is }) => is).length / Math.max(1, above.length);
  return { cut: above.at(-1)?.chance ?? 1, precision };
}

/** The lowest cut from which on, and below `below`, this share is right; among at least ten. */
export function precisionCut(
  all: readonly Foretold[],
  precision: number,
  below: number,
): { readonly cut: number; readonly precision: number } {
  const sorted = all.filter(({ chance }) => chance < below).sort((a, b) => b.chance - a.chance);
  let right = 0;
  let best = { cut: below, precision: 1 };
  for (const [at, { chance, is }] of sorted.entries()) {
    right += Number(is);
    const share = right / (at + 1);
    if (at >= 9 && share >= precision) best = { cut: chance, precision: share };
  }
  return best;
}

/** Expected calibration error over ten equal bins. */
export function calibrationError(all: readonly Foretold[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inside = all.filter(
      ({ chance }) =>
        chance >= bin / 10 && (chance < (bin + 1) / 10 || (bin === 9 && chance === 1)),
    );
    const gap = inside.reduce((sum, { chance, is }) => sum + chance - Number(is), 0);
    error += Math.abs(gap) / Math.max(1, all.length);
  }
  return error;
}
