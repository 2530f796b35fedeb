import { child, findLines, findText, type Outline, parsePairs } from "./outline.js";
import { toIsoTime } from "./times.js";

type Body = Readonly<Record<string, unknown>>;

/** Spec and status of a pod, as its description says them. */
export function describedPod(outlines: readonly Outline[], conditions: readonly unknown[]): Body {
  const node = findText(outlines, "Node")?.split("/")[0];
  const status = findText(outlines, "Status");
  const phase = status === "Terminating" ? "Running" : status?.split(" ")[0];
  return {
    spec: {
      nodeName: node,
      serviceAccountName: findText(outlines, "Service Account"),
      nodeSelector: parsePairs(findLines(outlines, "Node-Selectors")),
      containers: toContainers(outlines, "Containers"),
      initContainers: toContainers(outlines, "Init Containers"),
      volumes: toVolumes(outlines),
    },
    status: {
      phase,
      reason: findText(outlines, "Reason"),
      message: findText(outlines, "Message"),
      podIP: findText(outlines, "IP"),
      startTime: toIsoTime(findText(outlines, "Start Time")),
      conditions: conditions.length > 0 ? conditions : undefined,
      containerStatuses: toContainerStatuses(outlines, "Containers"),
      initContainerStatuses: toContainerStatuses(outlines, "Init Containers"),
    },
  };
}

function toContainers(outlines: readonly Outline[], key: string): readonly Body[] {
  return (child(outlines, key)?.children ?? []).map(({ key: name, children }) => ({
    name,
    image: findText(children, "Image"),
    ports: [...(findText(children, "Port") ?? "").matchAll(/([1-9]\d{0,4})\/(\w{3,4})/g)].map(
      ([, port, protocol]) => ({ containerPort: Number(port), protocol }),
    ),
    resources: {
      limits: toAmounts(children, "Limits"),
      requests: toAmounts(children, "Requests"),
    },
    ...toVariables(children),
    volumeMounts: (child(children, "Mounts")?.children ?? []).flatMap(({ text }) => {
      const [, mountPath, name] = /^(\S{1,300}) from (\S{1,253})/.exec(text) ?? [];
      return name === undefined ? [] : [{ name, mountPath }];
    }),
  }));
}

function toAmounts(outlines: readonly Outline[], key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (child(outlines, key)?.children ?? []).map(({ key: name, value }) => [name, value]),
  );
}

const reference =
  /^<set to the key '([^']{1,253})' (?:in|of config map) (?:secret )?'([^']{1,253})'>/;

function toVariables(outlines: readonly Outline[]): Body {
  const env = (child(outlines, "Environment")?.children ?? []).map(({ key: name, value }) => {
    const [, key, source] = reference.exec(value) ?? [];
    if (key === undefined) return { name, value };
    const field = value.includes("config map") ? "configMapKeyRef" : "secretKeyRef";
    return { name, valueFrom: { [field]: { name: source, key } } };
  });
  const envFrom = (child(outlines, "Environment Variables from")?.children ?? []).map(
    ({ text }): Body => {
      const [source, kind] = text.split(/ {2,}/);
      return {
        [kind?.startsWith("Secret") === true ? "secretRef" : "configMapRef"]: { name: source },
      };
    },
  );
  return { env, envFrom };
}

function toContainerStatuses(
  outlines: readonly Outline[],
  key: string,
): readonly Body[] | undefined {
  const found = (child(outlines, key)?.children ?? []).filter(
    ({ children }) => child(children, "State") !== undefined,
  );
  return found.length === 0
    ? undefined
    : found.map(({ key: name, children }) => ({
        name,
        image: findText(children, "Image"),
        ready: findText(children, "Ready") === "True",
        restartCount: Number(findText(children, "Restart Count") ?? 0),
        state: toContainerState(child(children, "State")),
        lastState: toContainerState(child(children, "Last State")),
      }));
}

function toContainerState(outline: Outline | undefined): Body {
  if (outline === undefined) return {};
  const { value, children } = outline;
  const said = { reason: findText(children, "Reason"), message: findText(children, "Message") };
  const started = toIsoTime(findText(children, "Started"));
  if (value === "Running") return { running: { startedAt: started } };
  if (value === "Waiting") return { waiting: said };
  if (value !== "Terminated") return {};
  return {
    terminated: {
      ...said,
      exitCode: Number(findText(children, "Exit Code") ?? 0),
      startedAt: started,
      finishedAt: toIsoTime(findText(children, "Finished")),
    },
  };
}

/** Volumes with the object that they are of, which may be missing. */
function toVolumes(outlines: readonly Outline[]): readonly Body[] {
  return (child(outlines, "Volumes")?.children ?? []).map(({ key: name, children }) => {
    const type = findText(children, "Type")?.split(" ")[0];
    const optional = findText(children, "Optional") === "true";
    if (type === "ConfigMap")
      return { name, configMap: { name: findText(children, "Name"), optional } };
    if (type === "Secret")
      return { name, secret: { secretName: findText(children, "SecretName"), optional } };
    return type === "PersistentVolumeClaim"
      ? { name, persistentVolumeClaim: { claimName: findText(children, "ClaimName") } }
      : { name };
  });
}
