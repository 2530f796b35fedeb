import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt } from "../../cluster/fields.js";
import type { ContainerDetector } from "../container-detector.js";
import { describeContainer } from "../container-state.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { containerValues, podEvent, siblingKey } from "../pod-finding.js";

const reasons = new Set([
  "ImagePullBackOff",
  "ErrImagePull",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** Reasons of events that say why. */
const sayWhy = ["Failed", "ErrImageNeverPull", "InspectFailed", "FailedToRetrieveImagePullSecret"];

/** What the kubelet's text says about why, in its own order of certainty. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/no such host|lookup .{0,300} (?:on|:)/i, "the registry's name does not resolve"],
  [
    /basic auth credentials|no credentials|failed to fetch (?:oauth|anonymous) token/i,
    "the registry asks for credentials, and was given none that it takes (no basic auth credentials, or no token)",
  ],
  [/no space left on device/i, "the node's disk is full (no space left on device)"],
  [/toomanyrequests|too many requests|429|rate limit/i, "the registry limits the rate of pulls"],
  [/x509|certificate/i, "the registry's certificate is not trusted"],
  [
    /unauthorized|denied|forbidden|authentication|401|403|authorization failed/i,
    "the registry refuses access, or the repository does not exist",
  ],
  [/not found|manifest unknown|does not exist|404/i, "the image or tag was not found"],
  [
    /timeout|timed out|deadline exceeded|connection refused|i\/o/i,
    "the registry could not be reached",
  ],
  [/signature/i, "its signature was not accepted"],
  [/invalid reference|couldn't parse|InvalidImageName/i, "the image's name is not valid"],
];

/** Whose credentials a refused pull was tried with: names only, what is in a Secret is not read. */
function describePullSecrets(pod: KubernetesObject, said: string): string {
  if (!/credential|unauthorized|denied|forbidden|authentication|authoriz|401|403/i.test(said))
    return "";
  const names = listAt(pod, "spec", "imagePullSecrets").flatMap((one) => textAt(one, "name") ?? []);
  return names.length === 0
    ? "; the pod names no pull secret"
    : `; its pull secret is ${names.join(", ")}, which is not read`;
}

/** An image that cannot be pulled; why is in the text of the kubelet, not in the reason. */
export const imagePull: ContainerDetector = (container, pod, view) => {
  const { waiting, image, path } = container;
  if (waiting === undefined || !reasons.has(waiting.reason)) return undefined;
  // "Back-off pulling" comes last and says nothing of why.
  const why = podEvent(
    view,
    pod,
    sayWhy,
    container.name,
    /^(?!Failed Error: ).{0,60}(?:fail|pull|image|secret)/i,
  );
  const failed =
    why.length > 0 ? why : podEvent(view, pod, ["BackOff"], container.name, /pull|image/i);
  const said = [...failed.map(({ text }) => text), waiting.message, waiting.reason]
    .join(" ")
    .slice(0, 8_000);
  const cause = causes.find(([pattern]) => pattern.test(said))?.[1];
  const [unread] = podEvent(view, pod, ["FailedToRetrieveImagePullSecret"], "");
  const name = image === undefined ? "its image" : `image ${image}`;
  return finding({
    signal: "ImagePullBackOff",
    severity: "high",
    object: pod,
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} cannot start: ${name} is not pulled (${waiting.reason})${cause === undefined ? "" : `: ${cause}`}${unread === undefined || failed[0]?.id === unread.id ? describePullSecrets(pod, said) : `; ${unread.text}`}`,
    message: failed[0]?.text ?? (waiting.message || undefined),
    evidence: [
      fieldEvidence(pod, `${path}.state.waiting`, `${waiting.reason}: ${waiting.message}`),
      ...failed,
      ...(unread === undefined || failed[0]?.id === unread.id ? [] : [unread]),
    ],
    next: describeCommand(pod),
    values: containerValues(container, pod),
    key: siblingKey(view, pod, "ImagePullBackOff", container.name, image ?? ""),
  });
};
