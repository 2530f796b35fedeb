import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { isReady } from "../diagnosis/ready.js";
import { newestRevision } from "../diagnosis/revision.js";
import { findTopOwner } from "../diagnosis/top-of.js";

/** Failures that a new template may bring. */
const ofTemplates: ReadonlySet<string> = new Set([
  "CrashLoopBackOff",
  "OOMKilled",
  "ImagePullBackOff",
  "InitContainerFailed",
  "MissingReference",
  "ReadinessProbeFailed",
  "PodFailed",
  "RolloutStuck",
  "FailedScheduling",
]);
/** How old a revision may be that is still taken for what changed, in milliseconds. */
const recentMs = 24 * 3_600_000;

/** Adds what differs in the newest revision, where its pods fail and those of the one before do not. */
export function withRevision(one: Finding, view: ClusterView): Finding {
  if (!one.current || !ofTemplates.has(one.signal)) return one;
  const top = findTopOwner(one.object, view);
  if (top.kind !== "Deployment") return one;
  const revision = newestRevision(top, view);
  if (revision?.before === undefined || view.now - revision.at > recentMs) return one;
  const owner = view.owner(one.object);
  if (one.object.kind === "Pod" && owner !== undefined && owner !== revision.set) return one;
  // Where the pods of the old template fail as well, the template is not why.
  const old = view.owned(revision.before).filter(({ kind }) => kind === "Pod");
  if (old.length > 0 && !old.some(isReady)) return one;
  return {
    ...one,
    summary: `${one.summary}; ${revision.text}`,
    evidence: [
      ...one.evidence,
      fieldEvidence(revision.set, "spec.template", revision.text, revision.at),
    ],
  };
}
