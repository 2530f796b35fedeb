import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Finding } from "../diagnosis/finding.js";
import { idOf } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { touches } from "../diagnosis/rank.js";
import { countsOf } from "../diagnosis/superseded.js";
import { topOf } from "../diagnosis/top-of.js";
import type { Investigation } from "../investigation.js";
import type { SetAside } from "../set-aside.js";
import { momentOf } from "./age.js";
import { code, escaped } from "./markdown.js";

/** Maximum number of findings of each sort that are named. */
const maxNamed = 2;

/**
 * Why "Healthy" cannot be said yet: what the question is about has begun, or was changed, a moment ago, and does not
 * do all that is wanted of it. Undefined where nothing is early, or others do its work meanwhile.
 */
export function tooEarly({ setAside, objects, own, view }: Investigation): string | undefined {
  const [first] = setAside.early.filter(
    (one) => (objects.length === 0 || touches(one, own)) && isShort(one, view),
  );
  return first === undefined
    ? undefined
    : `it is too early to say whether ${idOf(first.object)} fails: ${first.standing?.why ?? ""}${
        first.values.is_unobserved === true ? "" : `; ${quote(first.summary, 240)}`
      }`;
}

/** True unless the workload that a finding is about has all it wants beside it. */
function isShort({ object, values }: Finding, view: ClusterView): boolean {
  const { wanted, ready } = countsOf(topOf(object, view));
  return values.is_unobserved === true || wanted === undefined || ready < wanted;
}

/** What is no failure of now, named so that no answer hides it: a line for each sort. */
export function setAsideLines(
  { over, early, meant }: SetAside,
  view: ClusterView,
): readonly string[] {
  const line = (title: string, some: readonly Finding[], text: (one: Finding) => string) => {
    if (some.length === 0) return [];
    const named = some
      .slice(0, maxNamed)
      .map((one) => `${one.signal} of ${code(idOf(one.object))}${text(one)}`);
    const left = some.length - named.length;
    return [`${title}: ${named.join("; ")}${left > 0 ? `; and ${left} more` : ""}.`];
  };
  return [
    ...line("Over", over, (one) => {
      const at = Math.max(...one.evidence.flatMap((item) => item.at ?? []));
      const until = Number.isFinite(at) ? `, last seen ${momentOf(at, view.now)} UTC` : "";
      return `${until} (${escaped(one.standing?.why ?? "")})`;
    }),
    ...line("Too early to judge", early, (one) => ` (${escaped(one.standing?.why ?? "")})`),
    ...line("As asked for", meant, (one) => ` (${escaped(quote(one.summary, 160))})`),
  ];
}
