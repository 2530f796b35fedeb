import { getKind, type KindName, kindNames } from "../../cluster/kinds.js";

/** A command line of `kubectl`, as far as it says what its output is. */
export interface Command {
  readonly verb: string;
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly container: string | undefined;
  readonly isPrevious: boolean;
  /** True for output in JSON or YAML. */
  readonly isManifest: boolean;
}

const short: Readonly<Record<string, KindName>> = {
  po: "Pod",
  no: "Node",
  ns: "Namespace",
  svc: "Service",
  ep: "Endpoints",
  deploy: "Deployment",
  rs: "ReplicaSet",
  rc: "ReplicationController",
  sts: "StatefulSet",
  ds: "DaemonSet",
  cj: "CronJob",
  hpa: "HorizontalPodAutoscaler",
  pdb: "PodDisruptionBudget",
  pvc: "PersistentVolumeClaim",
  pv: "PersistentVolume",
  sc: "StorageClass",
  cm: "ConfigMap",
  ing: "Ingress",
  netpol: "NetworkPolicy",
  quota: "ResourceQuota",
  sa: "ServiceAccount",
};

/** The kind that a word of a command line names: `po`, `pods`, `deployment.apps`. */
export function kindOfWord(word: string): KindName | undefined {
  const name = word.toLowerCase().split(".")[0] ?? "";
  return (
    short[name] ??
    kindNames.find((kind) => kind.toLowerCase() === name || getKind(kind).plural === name)
  );
}

/** Reads what is after `kubectl`. */
export function parseCommand(line: string): Command {
  const words = line.trim().split(/\s+/).slice(0, 60);
  const readFlag = (...flags: readonly string[]) => {
    for (const [index, word] of words.entries()) {
      const [flag, value] = word.split("=");
      if (flag !== undefined && flags.includes(flag)) return value ?? words[index + 1];
    }
    return undefined;
  };
  const withValue = new Set([
    "-n",
    "--namespace",
    "-c",
    "--container",
    "-o",
    "--output",
    "-l",
    "--tail",
  ]);
  const plain = words.filter(
    (word, index) => !word.startsWith("-") && !withValue.has(words[index - 1] ?? ""),
  );
  const [verb = "", first, second] = plain;
  const isLogs = verb === "logs";
  const [kind, name] =
    first?.includes("/") === true
      ? first.split("/")
      : isLogs
        ? [undefined, first]
        : [first, second];
  return {
    verb,
    kind,
    name,
    namespace: readFlag("-n", "--namespace"),
    container: readFlag("-c", "--container") ?? (isLogs ? second : undefined),
    isPrevious: words.includes("--previous") || words.includes("-p"),
    isManifest:
      /^(?:yaml|json)$/.test(readFlag("-o", "--output") ?? "") ||
      words.some((word) => /^-o(?:yaml|json)$/.test(word)),
  };
}
