import { describe, expect, it } from "vitest";
import { ago, deployment, event, namespace, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, now, logs });
  const { answer = "", metadata, error } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly target_resource: string;
    readonly is_current?: boolean;
  }[];
  return { answer, facts, error };
}

const custom = (apiVersion: string, kind: string, name: string, body: object, place = "shop") => ({
  apiVersion,
  kind,
  metadata: { name, ...(place !== "" && { namespace: place }) },
  ...body,
});
const condition = (type: string, status: string, reason: string, message: string) => ({
  conditions: [{ type, status, reason, message }],
});

describe("a cause", () => {
  it("is what an object of an extension names, all the way down", async () => {
    const { facts, answer } = await ask("why is bucket claim reports never provisioned?", [
      namespace("shop"),
      custom("acme.example/v1", "BucketClaim", "reports", {
        spec: { resourceRef: { kind: "XBucket", name: "reports-x1" } },
        status: condition("Ready", "False", "Waiting", "composite resource is not ready"),
      }),
      custom(
        "acme.example/v1",
        "XBucket",
        "reports-x1",
        {
          spec: { resourceRefs: [{ kind: "Bucket", name: "reports-x1-b" }] },
          status: condition("Ready", "False", "Creating", "Unready resources: bucket"),
        },
        "",
      ),
      custom(
        "s3.example/v1",
        "Bucket",
        "reports-x1-b",
        { status: condition("Synced", "False", "ReconcileError", "BucketAlreadyExists") },
        "",
      ),
    ]);

    expect(facts[0]?.target_resource).toContain("reports-x1-b");
    expect(answer.split("\n")[0]).toContain("BucketAlreadyExists");
  });

  it("is what a field names by a word for its kind, and what the kind's own workload acts for", async () => {
    const objects = [
      namespace("velero"),
      ...deployment("velero", { namespace: "velero" }),
      pod({ name: "velero-5d9-a", namespace: "velero", owner: ["ReplicaSet", "velero-5d9"] }),
      custom(
        "velero.io/v1",
        "Backup",
        "daily-1",
        { spec: { storageLocation: "main" }, status: { phase: "FailedValidation" } },
        "velero",
      ),
      custom(
        "velero.io/v1",
        "BackupStorageLocation",
        "main",
        { status: { phase: "Unavailable", message: "AccessDenied: no bucket for you" } },
        "velero",
      ),
    ];

    const { facts, answer } = await ask("what is wrong with velero?", objects);

    expect(facts[0]?.target_resource).toContain("main");
    expect(answer).toContain("AccessDenied");
  });

  it("is the source of what keeps a workload in step, by the labels on it", async () => {
    const stall = deployment("stall").map((one) => ({
      ...one,
      metadata: {
        ...(one as { readonly metadata: object }).metadata,
        labels: {
          "kustomize.toolkit.fluxcd.io/name": "apps",
          "kustomize.toolkit.fluxcd.io/namespace": "flux",
        },
      },
    }));
    const { answer } = await ask("the new version of stall never comes, why?", [
      namespace("shop"),
      namespace("flux"),
      ...stall,
      pod({ name: "stall-5d9-a", owner: ["ReplicaSet", "stall-5d9"] }),
      custom(
        "kustomize.toolkit.fluxcd.io/v1",
        "Kustomization",
        "apps",
        {
          spec: { sourceRef: { kind: "GitRepository", name: "farm" } },
          status: condition("Ready", "True", "Succeeded", ""),
        },
        "flux",
      ),
      custom(
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        "farm",
        { status: condition("Ready", "False", "GitOperationFailed", "knownhosts: key mismatch") },
        "flux",
      ),
    ]);

    expect(answer).toContain("key mismatch");
  });

  it("of a pod without a node is what an autoscaler reports under the scheduler's reason", async () => {
    const { answer } = await ask("why is farm pending?", [
      namespace("shop"),
      pod({ name: "farm", phase: "Pending", node: "" }),
      event("Pod", "farm", "FailedScheduling", "0/3 nodes are available: 3 Insufficient cpu.", {
        minutes: 5,
      }),
      event(
        "Pod",
        "farm",
        "FailedScheduling",
        "all instance types exceed limits for nodepool spot",
      ),
    ]);

    expect(answer).toContain("exceed limits for nodepool spot");
    expect(answer).toContain("Insufficient cpu");
  });

  it("does not come from what only has the name in a field for something else", async () => {
    const { facts } = await ask("what is wrong with the widget web?", [
      namespace("shop"),
      custom("acme.example/v1", "Widget", "web", {
        spec: { displayName: "gadget" },
        status: condition("Ready", "False", "Broken", "spring is broken"),
      }),
      custom("acme.example/v1", "Gear", "gadget", {
        status: condition("Ready", "False", "Worn", "tooth lost"),
      }),
    ]);

    expect(facts[0]?.target_resource).toContain("Widget/web");
  });

  it("is in the log of the cluster's DNS where a name is not found and its pods are ready", async () => {
    const objects = [
      namespace("shop"),
      namespace("kube-system"),
      ...deployment("card"),
      pod({ name: "card-5d9-a", owner: ["ReplicaSet", "card-5d9"] }),
      pod({ name: "resolver-a", namespace: "kube-system", labels: { app: "resolver" } }),
      service("kube-dns", { app: "resolver" }, "kube-system"),
    ];
    const logs = {
      "shop/card-5d9-a/web": "ERROR charge failed: lookup api.pay.example: server misbehaving",
      "kube-system/resolver-a/web":
        "[ERROR] plugin/errors: 2 api.pay.example. A: read udp 10.1.2.3:4->10.9.9.9:53: i/o timeout",
    };

    const { answer } = await ask("payments of card fail with lookup errors, why?", objects, logs);

    expect(answer).toContain("10.9.9.9:53");
  });

  it("of pods that are taken away again and again is in the warnings about those that are gone", async () => {
    const taken = (name: string, minutes: number) =>
      event("Pod", name, "DescheduledByPolicy", "evicted by the descheduler: LowNodeUtilization", {
        minutes,
      });
    const { answer } = await ask("pods of web keep vanishing", [
      namespace("shop"),
      ...deployment("web"),
      pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"] }),
      taken("web-5d9-b", 5),
      taken("web-5d9-c", 12),
      taken("web-5d9-d", 20),
    ]);

    expect(answer).toContain("descheduler");
    expect(answer).toContain("3 times");
  });
});

describe("a question that names nothing of the cluster", () => {
  const broken = [
    namespace("clinic"),
    ...deployment("pharmacy", { namespace: "clinic" }),
    pod({
      name: "pharmacy-5d9-a",
      namespace: "clinic",
      owner: ["ReplicaSet", "pharmacy-5d9"],
      phase: "Pending",
      status: {
        phase: "Pending",
        containerStatuses: [
          {
            name: "web",
            ready: false,
            restartCount: 0,
            state: {
              waiting: {
                reason: "CreateContainerConfigError",
                message: "couldn't find key dsn in Secret clinic/pharmacy-db",
              },
            },
          },
        ],
      },
    }),
  ];

  it("is answered by what fails in its own words", async () => {
    const { answer } = await ask("couldn't find key dsn -- who wants it and where", broken);

    expect(answer).toContain("pharmacy");
  });

  it("is not about a cluster in which nothing fails in its words", async () => {
    const { error } = await ask("the printer on the second floor can't be reached", broken);

    expect(error).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("what is over for good", () => {
  const failed = [
    namespace("shop"),
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "import", namespace: "shop" },
      spec: {},
      status: {
        failed: 1,
        conditions: [
          {
            type: "Failed",
            status: "True",
            reason: "BackoffLimitExceeded",
            lastTransitionTime: ago(60 * 24 * 60),
          },
        ],
      },
    },
    {
      ...pod({ name: "import-x", owner: ["Job", "import"] }),
      status: {
        phase: "Failed",
        containerStatuses: [
          {
            name: "web",
            ready: false,
            restartCount: 0,
            state: {
              terminated: { exitCode: 1, reason: "Error", finishedAt: ago(60 * 24 * 60) },
            },
          },
        ],
      },
    },
    ...deployment("web"),
    pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"] }),
  ];

  it("is no failure of now, neither of the Job nor of its pod", async () => {
    const { facts, answer } = await ask("anything broken at the moment?", failed);

    expect(facts.map(({ signal_type }) => signal_type)).toEqual(["Healthy"]);
    expect(answer).toContain("60 d ago");
  });

  it("is what a question about it is answered with", async () => {
    const { facts } = await ask("import failed two months ago, do you still see why?", failed);

    expect(facts[0]).toMatchObject({ is_current: false });
    expect(facts.map(({ signal_type }) => signal_type)).not.toContain("Healthy");
  });
});

describe("an error in the log of a pod that is ready", () => {
  const objects = [
    namespace("shop"),
    ...deployment("order"),
    {
      ...pod({ name: "order-5d9-a", owner: ["ReplicaSet", "order-5d9"] }),
      status: {
        phase: "Running",
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [{ name: "web", ready: true, restartCount: 0, state: { running: {} } }],
      },
    },
  ];
  const line = "ERROR validation of order 99120 failed: field ward is empty";
  const asked = "order throws errors in its log, please have a look";

  it("is over where the program continued", async () => {
    const logs = { "shop/order-5d9-a/web": `${line}\nINFO stored 99121\nINFO stored 99122` };

    expect((await ask(asked, objects, logs)).facts[0]).toMatchObject({ is_current: false });
  });

  it("is of now where nothing follows it", async () => {
    const logs = { "shop/order-5d9-a/web": `INFO stored 99119\n${line}` };
    const { facts } = await ask(asked, objects, logs);

    expect(facts[0]).toMatchObject({ signal_type: "ApplicationError" });
    expect(facts[0]?.is_current).toBeUndefined();
  });
});

describe("nothing is called healthy", () => {
  const web = [
    namespace("shop"),
    ...deployment("web"),
    pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"] }),
  ];

  it.each([
    "why was web down on new year's eve?",
    "web was down on halloween. what was it?",
    "last Thursday at lunch a pod of web vanished, who or what removed it?",
    "wer/who set web to version 0.17? I need a name",
    "is web near its memory limit?",
  ])("for a question that the present state cannot answer: %s", async (question) => {
    const { facts } = await ask(question, web);

    expect(facts).toEqual([]);
  });

  it("for a firm outside of the cluster", async () => {
    const { error } = await ask("Is Steam having problems or is it us?", web);

    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(error?.message).toContain("Steam");
  });

  it("for what is in a Secret, whatever its key is called", async () => {
    const { answer } = await ask("does the hmac in rating-keys match that of the partner?", web);

    expect(answer).toContain("Secret rating-keys");
    expect(answer).toContain("cannot be told");
  });
});

describe("what acts for a workload that shows nothing", () => {
  const web = [
    namespace("shop"),
    ...deployment("web"),
    pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
  ];

  it("is what keeps its whole namespace in step with a source, and the source", async () => {
    const objects = (status: string, place: string) => [
      ...web,
      custom("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "apps", {
        spec: { targetNamespace: place, sourceRef: { kind: "GitRepository", name: "apps" } },
        status: condition("Ready", "True", "Succeeded", ""),
      }),
      custom("source.toolkit.fluxcd.io/v1", "GitRepository", "apps", {
        status: condition("Ready", status, "GitOperationFailed", "knownhosts: key mismatch"),
      }),
    ];
    const question = "web still runs the old version, what is wrong?";
    expect((await ask(question, objects("False", "shop"))).answer).toContain("key mismatch");
    expect((await ask(question, objects("True", "shop"))).answer).not.toContain("key mismatch");
    expect((await ask(question, objects("False", "lab"))).answer).not.toContain("key mismatch");
  });

  it("is the controller of what names it", async () => {
    const { facts } = await ask("what is wrong with web?", [
      ...web,
      custom("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "web", {
        spec: { targetRef: { kind: "Deployment", name: "web" } },
      }),
      ...deployment("autoscaling-vpa", { ready: 0 }),
      pod({
        name: "autoscaling-vpa-5d9-a",
        owner: ["ReplicaSet", "autoscaling-vpa-5d9"],
        status: { conditions: [{ type: "Ready", status: "False" }] },
        container: {
          ready: false,
          restartCount: 9,
          state: { waiting: { reason: "CrashLoopBackOff" } },
          lastState: { terminated: { reason: "Error", exitCode: 255, finishedAt: ago(1) } },
        },
      }),
    ]);
    expect(facts[0]).toMatchObject({ signal_type: "CrashLoopBackOff" });
    expect(facts[0]?.target_resource).toContain("autoscaling-vpa");
  });
});

it("an error is reported with what explains it in the next line, which has a time of its own", async () => {
  const stamp = "2026-03-01 11:59:00,000 UTC [1]";
  const log = `${stamp} FATAL: files are incompatible\n${stamp} DETAIL: made by version 15\n${stamp} LOG: shut down\n`;
  const { answer } = await ask(
    "why does web fail?",
    [
      namespace("shop"),
      ...deployment("web", { ready: 0 }),
      pod({
        name: "web-5d9-a",
        owner: ["ReplicaSet", "web-5d9"],
        container: {
          ready: false,
          restartCount: 9,
          state: { waiting: { reason: "CrashLoopBackOff" } },
          lastState: { terminated: { reason: "Error", exitCode: 1, finishedAt: ago(1) } },
        },
      }),
    ],
    { "shop/web-5d9-a/web#previous": log, "shop/web-5d9-a/web": log },
  );
  expect(answer).toContain("made by version 15");
  expect(answer).not.toContain("shut down");
});

describe("what is no failure, or hides one", () => {
  it("a node that someone closed is not lost", async () => {
    const machine = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n7" },
      spec: { unschedulable: true },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    };
    const ask7 = async (question: string) =>
      (await ask(question, [namespace("shop"), ...deployment("web"), machine])).answer;
    expect(await ask7("n7 shows SchedulingDisabled, did we lose the box?")).toContain(
      "As asked for: NodeCordoned",
    );
    expect(await ask7("why does n7 take no pods?")).not.toContain("As asked for");
  });

  it("a pod that has run once acts for no claim", async () => {
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "scratch", namespace: "shop" },
      spec: { storageClassName: "fast" },
      status: { phase: "Pending" },
    };
    const fast = {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "fast" },
      provisioner: "import.csi.example",
      volumeBindingMode: "WaitForFirstConsumer",
    };
    const { facts } = await ask("claim scratch is pending, is the storage dead?", [
      namespace("shop"),
      claim,
      fast,
      pod({
        name: "import-1",
        phase: "Failed",
        owner: ["Job", "import"],
        container: { ready: false, state: { terminated: { exitCode: 1, reason: "Error" } } },
      }),
    ]);
    expect(facts.map(({ target_resource }) => target_resource).join()).not.toContain("import-1");
  });

  it("a refusal by one policy of several is not lost among those that say the same", async () => {
    const refused = (name: string) => `provider "${name}": Forbidden: not usable by user`;
    const message = `pods "web-" is forbidden: [${refused("anyuid")}, provider restricted: runAsUser: Invalid value: 472, ${refused("nonroot")}, ${refused("privileged")}]`;
    const [top, set] = deployment("web", { ready: 0 });
    const status = {
      conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message }],
    };
    const { answer } = await ask("web has no pods, why?", [
      namespace("shop"),
      top,
      { ...(set as object), status },
    ]);
    expect(answer).toContain("Invalid value: 472");
    expect(answer).not.toContain("privileged");
  });
});
