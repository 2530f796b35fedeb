import { describe, expect, it } from "vitest";
import { useSnapshotFolder } from "../../test/snapshot-folder.js";
import { createK8sLibrarian } from "../k8s-librarian.js";
import { openSnapshot } from "./open-snapshot.js";

const described = `Name:             checkout-5d9-x
Namespace:        shop
Priority:         0
Service Account:  default
Node:             worker-2/10.0.0.12
Start Time:       Tue, 12 May 2026 09:00:00 +0000
Labels:           app=checkout
                  pod-template-hash=5d9
Annotations:      <none>
Status:           Running
IP:               10.42.1.7
Controlled By:    ReplicaSet/checkout-5d9
Containers:
  web:
    Image:          registry.example.org/checkout:4
    Port:           8080/TCP
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Tue, 12 May 2026 10:20:00 +0000
      Finished:     Tue, 12 May 2026 10:25:00 +0000
    Ready:          False
    Restart Count:  12
    Limits:
      memory:  512Mi
    Requests:
      memory:     256Mi
    Environment:
      DB_HOST:  db
      DB_PASS:  <set to the key 'password' in secret 'db'>  Optional: false
    Mounts:
      /etc/app from conf (ro)
Conditions:
  Type              Status
  Initialized       True
  Ready             False
  PodScheduled      True
Volumes:
  conf:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      checkout-conf
    Optional:  false
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

  it("reads a description with its containers, volumes and events", async () => {
    await folder.write({ "pod.txt": described });
    const path = folder.path();
    const { answer = "", sources = [] } = await createK8sLibrarian({ snapshot: path }).librarian(
      "why does checkout restart?",
    );

    expect(answer).toContain("OOMKilled");
    expect(answer).toContain("512Mi");
    expect(sources.map(({ name }) => name)).toContain("shop/Pod/checkout-5d9-x");
    const reader = await openSnapshot({ path });
    const { object } = await reader.get("Pod", "shop", "checkout-5d9-x");
    expect(object).toMatchObject({
      metadata: { labels: { app: "checkout" }, ownerReferences: [{ name: "checkout-5d9" }] },
      spec: {
        nodeName: "worker-2",
        containers: [
          {
            env: [{ name: "DB_HOST" }, { name: "DB_PASS", valueFrom: {} }],
            volumeMounts: [{ name: "conf", mountPath: "/etc/app" }],
          },
        ],
        volumes: [{ configMap: { name: "checkout-conf" } }],
      },
      status: { containerStatuses: [{ restartCount: 12 }] },
    });
    const { items } = await reader.events({ namespace: "shop" });
    expect(items).toMatchObject([{ reason: "BackOff", count: 40, type: "Warning" }]);
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
