import { describe, expect, it } from "vitest";
import { useSnapshotFolder } from "../../test/snapshot-folder.js";
import { createK8sLibrarian } from "../k8s-librarian.js";
import { openSnapshot } from "./open-snapshot.js";

const described = `Name:             checkout-5d9-x
Namespace:        shop
Node:             worker-2/10.0.0.12
Start Time:       Tue, 12 May 2026 09:00:00 +0000
Containers:
  web:
    Last State:     Terminated
      Finished:     Tue, 12 May 2026 10:25:00 +0000
Events:
  Type     Reason   Age                   From     Message
  ----     ------   ----                  ----     -------
  Warning  BackOff  2m (x40 over 60m)     kubelet  Back-off restarting failed container web in pod checkout-5d9-x
`;

const transcript = `me@laptop:~$ kubectl get pods -n shop
NAME             READY   STATUS             RESTARTS      AGE
api-1            1/1     Running            0             3d
worker-7         0/1     ImagePullBackOff   0             12m
migrate-2        0/1     Completed          0             2h

me@laptop:~$ kubectl get events -n shop
LAST SEEN   TYPE      REASON   OBJECT         MESSAGE
3m          Warning   Failed   pod/worker-7   Failed to pull image "reg.example/worker:9": not found

me@laptop:~$ kubectl get nodes
NAME   STATUS                     ROLES    AGE   VERSION
n1     Ready                      <none>   9d    v1.33.1
n2     NotReady                   <none>   9d    v1.33.1

me@laptop:~$ kubectl get deploy api -n shop -o yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
spec:
  replicas: 2
status:
  replicas: 2
  readyReplicas: 2
me@laptop:~$ kubectl logs worker-6 -n shop --previous
fatal: no license
`;

describe("a snapshot of what kubectl prints for people", () => {
  const folder = useSnapshotFolder();

  it("reads the events of a description, as of its own time", async () => {
    await folder.write({ "pod.txt": described });
    const reader = await openSnapshot({ path: folder.path() });

    const { items } = await reader.events({ namespace: "shop" });
    expect(items).toMatchObject([
      {
        involved: { kind: "Pod", name: "checkout-5d9-x" },
        reason: "BackOff",
        count: 40,
        type: "Warning",
        lastSeen: Date.parse("2026-05-12T10:23:00Z"),
      },
    ]);
  });

  it("reads a transcript: tables, manifests and logs by their commands", async () => {
    await folder.write({ "session.txt": transcript });
    const path = folder.path();
    const reader = await openSnapshot({ path });

    const { items: pods } = await reader.list("Pod", { namespace: "shop" });
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(["api-1", "worker-7", "migrate-2"]);
    const { items: nodes } = await reader.list("Node");
    expect(nodes[1]).toMatchObject({
      status: { conditions: [{ type: "Ready", status: "False" }] },
    });
    expect(await reader.get("Deployment", "shop", "api")).toMatchObject({
      object: { status: { readyReplicas: 2 } },
    });
    expect(await reader.logs({ namespace: "shop", pod: "worker-6", previous: true })).toMatchObject(
      { text: expect.stringContaining("no license") },
    );
    const { answer = "" } = await createK8sLibrarian({ snapshot: path }).librarian(
      "why is worker-7 not running?",
    );
    expect(answer).toMatch(/ImagePullBackOff[\s\S]*not found/);
  });
});
