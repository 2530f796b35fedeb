import { deployment, event, node, oomKilled, pod, service } from "../test/objects.js";

/** Pods of one workload. */
const replicas = 20;

/** Fields of a real pod that a real server stores and this package does not read, for the size of what is read. */
const around = {
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: "IfNotPresent",
  env: Array.from({ length: 6 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: "x".repeat(30),
  })),
};

/** Makes a cluster in which every tenth workload, and `workload-7`, is killed for its memory. */
export function generateCluster({
  pods,
  events,
  nodes,
  isWhole = false,
}: {
  readonly pods: number;
  readonly events: number;
  readonly nodes: number;
  /** True for pods as large as real ones. */
  readonly isWhole?: boolean;
}): readonly object[] {
  const objects: object[] = [];
  for (let index = 0; index < nodes; index++) objects.push(node(`node-${index}`));
  for (let index = 0; index < pods / replicas; index++) {
    const name = `workload-${index}`;
    const namespace = `team-${index % 20}`;
    const isBad = index === 7 || index % 10 === 0;
    objects.push(
      ...deployment(name, { wanted: replicas, ready: isBad ? 0 : replicas, namespace }),
      service(name, { app: name }, namespace),
    );
    for (let replica = 0; replica < replicas; replica++) {
      objects.push(
        pod({
          name: `${name}-5d9-${replica}`,
          namespace,
          owner: ["ReplicaSet", `${name}-5d9`],
          labels: { app: name },
          node: `node-${(index + replica) % nodes}`,
          ...(isBad && { container: oomKilled }),
          ...(isWhole && { containerSpec: around }),
        }),
      );
    }
  }
  for (let index = 0; index < events; index++) {
    const workload = index % (pods / replicas);
    objects.push(
      event(
        "Pod",
        `workload-${workload}-5d9-${index % replicas}`,
        "BackOff",
        "Back-off restarting failed container",
        { namespace: `team-${workload % 20}` },
      ),
    );
  }
  return objects;
}
