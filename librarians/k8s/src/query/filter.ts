import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { State } from "../fields/table.js";

/** A condition that a question puts on what it lists or counts. */
export interface Filter {
  /** The words that say it. */
  readonly text: string;
  /** Name of the field that it compares. */
  readonly field?: string | undefined;
  /** The state that it asks for. */
  readonly state?: State | undefined;
  /** True for a word that may only be a part of the sentence: it counts where anything has it. */
  readonly isMark?: boolean | undefined;
  /** Undefined of an object that the condition says nothing about. */
  test(object: KubernetesObject, view: ClusterView): boolean | undefined;
}

/** Words before what a list leaves out. */
const denials =
  /\b(?:without|except(?: for)?|excluding|excl|not|no|minus|other than|apart from|non)[- .]{1,2}(?:(?:the|a|an|any|in|on|of|those) ){0,3}$/i;

/** True for a word that a list leaves out: "nodes without the control plane". */
export function isDenied(said: string, query: string): boolean {
  const at = query.toLowerCase().indexOf(said.toLowerCase());
  return at > 0 && denials.test(query.slice(Math.max(0, at - 40), at));
}

/** The opposite of a condition. */
export function denied(filter: Filter): Filter {
  return {
    ...filter,
    isMark: false,
    text: `not ${filter.text}`,
    test: (object, view) => {
      const is = filter.test(object, view);
      return is === undefined ? undefined : !is;
    },
  };
}
