import type { SourceValue } from "./compare-values.js";
import type { Statement } from "./read-statement.js";
import { readContext, type Value } from "./values.js";

/**
 * How much better what a sentence says of a value fits another value of its kind that it does not name: above 0 where
 * the sentence seems to give a value of one thing to another.
 */
export function measureSwap(
  said: Statement,
  values: readonly Value[],
  known: readonly SourceValue[],
  names: ReadonlySet<string>,
): number {
  const weighKey = (key: string) => (/[#\d]/.test(key) || names.has(key) ? 2 : 1);
  const toldKeys = new Set(values.map(({ key }) => key));
  let most = -1;
  for (const value of values) {
    const groups = new Set(
      known.flatMap(({ key, kind, group }) =>
        key === value.key && kind === value.kind && group !== "" ? [group] : [],
      ),
    );
    const ofKind = known.filter(({ group }) => groups.has(group));
    const own = ofKind.filter(({ key }) => key === value.key);
    const rivals = ofKind.filter(({ key }) => !toldKeys.has(key));
    if (own.length === 0 || rivals.length === 0) continue;
    const around = readContext(value, said, values);
    for (const rival of rivals) {
      // Words that both have say nothing; the value's own mention that fits best is compared.
      const margins = own.map(({ context }) => {
        let [difference, all] = [0, 0];
        for (const [key, closeness] of around) {
          const more = (rival.context.get(key) ?? 0) - (context.get(key) ?? 0);
          difference += closeness * weighKey(key) * more;
          all += closeness * weighKey(key) * Math.abs(more);
        }
        return all > 0.3 ? difference / all : -1;
      });
      most = Math.max(most, Math.min(...margins));
    }
  }
  return most;
}
