import type { KubernetesObject } from "./cluster/cluster-reader.js";
import type { KindName } from "./cluster/kinds.js";
import type { ClusterView } from "./diagnosis/cluster-view.js";
import type { Interest } from "./diagnosis/detector.js";
import type { Finding } from "./diagnosis/finding.js";
import type { Question } from "./question/question.js";
import type { Target } from "./question/resolve.js";
import type { SetAside } from "./set-aside.js";

/** What an investigation found. */
export interface Investigation {
  readonly view: ClusterView;
  readonly target: Target;
  /** What the question is about, for people. */
  readonly subject: string;
  /** Objects it names, or nothing. */
  readonly objects: readonly KubernetesObject[];
  /** Ids of them, and of what they control or send to. */
  readonly own: ReadonlySet<string>;
  /** Everything that was looked at for it. */
  readonly scope: readonly KubernetesObject[];
  /** In order, the likeliest cause first. */
  readonly findings: readonly Finding[];
  /** Current findings left out because the question asks for something else, worst first. */
  readonly aside: readonly Finding[];
  /** What is over, early or meant, and so is named beside the answer only. */
  readonly setAside: SetAside;
  readonly logProblems: readonly string[];
  readonly namespace: string | undefined;
  /** The namespace that the question names, where what it names is in another one only. */
  readonly askedNamespace: string | undefined;
  readonly kindsRead: readonly KindName[];
  /** Kinds the question names. */
  readonly kindsAsked: readonly KindName[];
  /** Signal types the question's words name. */
  readonly interest: Interest;
  readonly question: Question;
  /** True when a log of what the question names was read. */
  readonly withLogs: boolean;
  /** Calls that the question asks about, and that no policy keeps back. */
  readonly allowed: readonly string[];
  readonly withoutEvents: boolean;
  /** Things of the same name in which nothing is wrong: not what the question means. */
  readonly notMeant: readonly KubernetesObject[];
  /** Milliseconds the question looks back. */
  readonly periodMs: number | undefined;
}
