import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { concernsAny } from "../diagnosis/rank.js";
import { readPodCounts } from "../diagnosis/superseded.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import type { Investigation } from "../investigation.js";
import type { SetAside } from "../set-aside.js";
import { code, escaped } from "./markdown.js";

/** Maximum number of findings of each sort that are named. */
const maxNamed = 2;

/**
 * Why "Healthy" cannot be said yet: what the question is about has begun, or was changed, a moment ago, and does not
 * do all that is wanted of it. Undefined where nothing is early, or others do its work meanwhile.
 */
export function tooEarly({ setAside, objects, own, view }: Investigation): string | undefined {
  const [first] = setAside.early.filter(
    (one) => (objects.length === 0 || concernsAny(one, own)) && isShort(one, view),
  );
  return first === undefined
    ? undefined
    : `it is too early to say whether ${toObjectId(first.object)} fails: ${first.standing?.why ?? ""}${
        first.values.is_unobserved === true ? "" : `; ${quote(first.summary, 240)}`
      }`;
}

/** True unless the workload of a finding has all its desired replicas without the affected one. */
function isShort({ object, values }: Finding, view: ClusterView): boolean {
  const { wanted, ready } = readPodCounts(findTopOwner(object, view));
  return values.is_unobserved === true || wanted === undefined || ready < wanted;
}

/** One line for each group of findings that are not current failures, so that no answer hides them. */
export function setAsideLines(
  { over, early, meant }: SetAside,
  view: ClusterView,
): readonly string[] {
  const line = (title: string, some: readonly Finding[], text: (one: Finding) => string) => {
    if (some.length === 0) return [];
    const named = some
      .slice(0, maxNamed)
      .map((one) => `${one.signal} of ${code(toObjectId(one.object))}${text(one)}`);
    const left = some.length - named.length;
    return [`${title}: ${named.join("; ")}${left > 0 ? `; and ${left} more` : ""}.`];
  };
  return [
    ...line("Over", over, (one) => {
      const at = Math.max(...one.evidence.flatMap((item) => item.at ?? []));
      const until = Number.isFinite(at) ? `, last seen ${printMoment(at, view.now)} UTC` : "";
      return `${until} (${escaped(one.standing?.why ?? "")})`;
    }),
    ...line("Too early to judge", early, (one) => ` (${escaped(one.standing?.why ?? "")})`),
    ...line("As asked for", meant, (one) => ` (${escaped(quote(one.summary, 160))})`),
  ];
}
