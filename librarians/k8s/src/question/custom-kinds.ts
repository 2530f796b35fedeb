import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Question } from "./question.js";
import { toWords } from "./words.js";

/** Resources of an extension whose kind the question names: "external secrets", "the RabbitmqCluster". */
export function selectOfCustomKind(
  { query }: Question,
  view: ClusterView,
): readonly KubernetesObject[] {
  const words = toWords(query.toLowerCase());
  const joined = words.join("").replaceAll("-", "");
  return view.list("CustomResource").filter(({ kind }) => {
    // A `VolumeSnapshot` is a snapshot for people.
    const last =
      kind
        .split(/(?=[A-Z])/)
        .at(-1)
        ?.toLowerCase() ?? "";
    return (
      joined.includes(kind.toLowerCase()) ||
      (last.length >= 5 && (words.includes(last) || words.includes(`${last}s`)))
    );
  });
}
