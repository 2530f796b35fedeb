import { child, linesOf, type Outline, pairsOf, textOf } from "./outline.js";
import { timeOf } from "./times.js";

type Body = Readonly<Record<string, unknown>>;

/** Spec and status of a pod, as its description says them. */
export function describedPod(outlines: readonly Outline[], conditions: readonly unknown[]): Body {
  const node = textOf(outlines, "Node")?.split("/")[0];
  const status = textOf(outlines, "Status");
  const phase = status === "Terminating" ? "Running" : status?.split(" ")[0];
  return {
    spec: {
      ...(node !== undefined && { nodeName: node }),
      serviceAccountName: textOf(outlines, "Service Account"),
      nodeSelector: pairsOf(linesOf(outlines, "Node-Selectors")),
      containers: containersOf(outlines, "Containers"),
      initContainers: containersOf(outlines, "Init Containers"),
      volumes: volumesOf(outlines),
    },
    status: {
      phase,
      ...(textOf(outlines, "Reason") !== undefined && { reason: textOf(outlines, "Reason") }),
      ...(textOf(outlines, "Message") !== undefined && { message: textOf(outlines, "Message") }),
      ...(textOf(outlines, "IP") !== undefined && { podIP: textOf(outlines, "IP") }),
      startTime: timeOf(textOf(outlines, "Start Time")),
      conditions: conditions.length > 0 ? conditions : undefined,
      containerStatuses: statesOf(outlines, "Containers"),
      initContainerStatuses: statesOf(outlines, "Init Containers"),
    },
  };
}

/** The pod template of a workload's description. */
export function templateOf(outlines: readonly Outline[]): Body {
  const template = child(outlines, "Pod Template")?.children ?? [];
  return {
    metadata: { labels: pairsOf(linesOf(template, "Labels")) },
    spec: {
      containers: containersOf(template, "Containers"),
      initContainers: containersOf(template, "Init Containers"),
      volumes: volumesOf(template),
    },
  };
}

function containersOf(outlines: readonly Outline[], key: string): readonly Body[] {
  return (child(outlines, key)?.children ?? []).map(({ key: name, children }) => ({
    name,
    image: textOf(children, "Image"),
    ports: portsOf(textOf(children, "Port") ?? textOf(children, "Ports")),
    resources: {
      limits: amountsOf(children, "Limits"),
      requests: amountsOf(children, "Requests"),
    },
    ...variablesOf(children),
    volumeMounts: (child(children, "Mounts")?.children ?? []).flatMap(({ text }) => {
      const [, mountPath, volume] = /^(\S{1,300}) from (\S{1,253})/.exec(text) ?? [];
      return volume === undefined ? [] : [{ name: volume, mountPath }];
    }),
  }));
}

function portsOf(text: string | undefined): readonly Body[] {
  return (text ?? "").split(",").flatMap((one) => {
    const [, port, protocol] = /^\s?(\d{1,5})\/(\w{3,4})/.exec(one) ?? [];
    return port === undefined || port === "0" ? [] : [{ containerPort: Number(port), protocol }];
  });
}

function amountsOf(outlines: readonly Outline[], key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (child(outlines, key)?.children ?? []).map(({ key: name, value }) => [name, value]),
  );
}

const reference =
  /^<set to the key '([^']{1,253})' (?:in|of config map) (?:secret )?'([^']{1,253})'>/;

function variablesOf(outlines: readonly Outline[]): Body {
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

function statesOf(outlines: readonly Outline[], key: string): readonly Body[] | undefined {
  const found = (child(outlines, key)?.children ?? []).filter(
    ({ children }) => child(children, "State") !== undefined,
  );
  return found.length === 0
    ? undefined
    : found.map(({ key: name, children }) => ({
        name,
        image: textOf(children, "Image"),
        ready: textOf(children, "Ready") === "True",
        restartCount: Number(textOf(children, "Restart Count") ?? 0),
        state: stateOf(child(children, "State")),
        lastState: stateOf(child(children, "Last State")),
      }));
}

function stateOf(outline: Outline | undefined): Body {
  if (outline === undefined) return {};
  const { value, children } = outline;
  const reason = textOf(children, "Reason");
  const message = textOf(children, "Message");
  const said = {
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
  const started = timeOf(textOf(children, "Started"));
  if (value === "Running") return { running: { startedAt: started } };
  if (value === "Waiting") return { waiting: said };
  if (value !== "Terminated") return {};
  return {
    terminated: {
      ...said,
      exitCode: Number(textOf(children, "Exit Code") ?? 0),
      startedAt: started,
      finishedAt: timeOf(textOf(children, "Finished")),
    },
  };
}

function volumesOf(outlines: readonly Outline[]): readonly Body[] {
  return (child(outlines, "Volumes")?.children ?? []).map(({ key: name, children }) => {
    const type = textOf(children, "Type") ?? "";
    if (type.startsWith("ConfigMap"))
      return {
        name,
        configMap: { name: textOf(children, "Name"), optional: isOptional(children) },
      };
    if (type.startsWith("Secret"))
      return {
        name,
        secret: { secretName: textOf(children, "SecretName"), optional: isOptional(children) },
      };
    if (type.startsWith("PersistentVolumeClaim"))
      return { name, persistentVolumeClaim: { claimName: textOf(children, "ClaimName") } };
    return type.startsWith("EmptyDir") ? { name, emptyDir: {} } : { name };
  });
}

function isOptional(outlines: readonly Outline[]): boolean {
  return textOf(outlines, "Optional") === "true";
}
