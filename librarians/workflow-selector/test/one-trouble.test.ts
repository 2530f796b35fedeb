import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian, type WorkflowSelection } from "../src/index.js";
import { entry } from "./workflows.js";

const workflows = [
  entry("raise-memory-limit", {
    description: {
      what: "Raises the memory limit of a container",
      whenToUse: "The container was OOMKilled: it needs more memory than its limit",
    },
    parameters: [
      { name: "OBJECT", type: "string", required: true, description: "Name of the workload" },
      { name: "app_ns", type: "string", required: true },
      { name: "proj", type: "string", required: true, description: "The namespace" },
      { name: "kube_container", type: "string", description: "Of the pod" },
    ],
  }),
  entry("correct-image", {
    description: {
      what: "Corrects the image of a container",
      whenToUse: "The image cannot be pulled because its tag does not exist: ImagePullBackOff",
    },
  }),
  entry("end-hung-job", {
    description: {
      what: "Deletes the job of a CronJob that hangs",
      whenToUse: "The CronJob starts no new run since one is still active: CronJobNotRunning",
    },
    parameters: [
      { name: "JOB", type: "string", required: true },
      { name: "VERB", type: "string" },
      { name: "RESOURCE", type: "string" },
    ],
  }),
];

async function ask(query: unknown, facts: readonly object[]) {
  const router = createRouter({ entry: "workflow-selector" });
  const k8s: Librarian = async () => ({ answer: "Observed.", metadata: { facts } });
  router.register(createWorkflowSelectorLibrarian({ store: createMemoryCatalog(workflows) }));
  router.register({
    id: "k8s",
    description: "Reads the cluster.",
    capabilities: ["kubernetes.facts"],
    librarian: k8s,
  });
  const text = typeof query === "string" ? query : JSON.stringify(query);
  const { metadata = {} } = await router.ask(text);
  return {
    metadata,
    selection: metadata.workflowSelection as WorkflowSelection | undefined, // what the librarian puts there
  };
}

const oomKilled = {
  signal_type: "OOMKilled",
  target_resource: "shop/Pod/cart-5d9-x",
  owner: "shop/apps/Deployment/cart",
  container: "app",
  error_message: "The container was killed: it needs more memory than its limit.",
};
const firing = (alertname: string, labels: object) => ({
  status: "firing",
  labels: { alertname, namespace: "shop", ...labels },
});

describe("one trouble", () => {
  it("has one result for the Deployment and the pod that alert", async () => {
    const alerts = [
      firing("KubeDeploymentReplicasMismatch", { deployment: "cart" }),
      firing("KubePodNotReady", { pod: "cart-5d9-x" }),
    ];
    const { metadata } = await ask({ version: "4", alerts }, [oomKilled]);

    expect(metadata.results).toMatchObject([
      { object: "shop/Deployment/cart", also: ["shop/Pod/cart-5d9-x"] },
    ]);
  });

  it("has one result for the pods of one controller where nothing was observed", async () => {
    const alerts = ["cart-5d9-x2x4z", "cart-5d9-bbb22", "mail-7f8-bbb22"].map((pod) =>
      firing("KubePodCrashLooping", { pod }),
    );
    const { metadata } = await ask({ version: "4", alerts }, []);

    expect(metadata.results).toMatchObject([
      { object: "shop/Pod/cart-5d9-x2x4z", also: ["shop/Pod/cart-5d9-bbb22"] },
      { object: "shop/Pod/mail-7f8-bbb22" },
    ]);
  });

  it("that the cluster shows decides over an alert that names another one of its objects", async () => {
    const alert = firing("ImagePullFailing", { deployment: "cart" });
    const { selection, metadata } = await ask({ version: "4", alerts: [alert] }, [oomKilled]);

    expect(selection?.strategies[0]?.workflow_id).toBe("raise-memory-limit");
    expect(metadata.approval).toMatchObject({ humanReview: true });
  });

  it("of a host that a sentence names is that of the object whose name it begins with", async () => {
    const { selection } = await ask("cart.shop.example is gone for everyone", [oomKilled]);

    expect(selection?.strategies[0]?.workflow_id).toBe("raise-memory-limit");
  });
});

describe("parameters", () => {
  it("described as the workload, or named by the usual last word, get what the workflow changes", async () => {
    const alert = firing("KubePodNotReady", { pod: "cart-5d9-x" });
    const { selection } = await ask({ version: "4", alerts: [alert] }, [oomKilled]);

    expect(selection?.strategies[0]?.parameters).toEqual({
      OBJECT: "cart",
      app_ns: "shop",
      proj: "shop",
      kube_container: "app",
    });
  });

  it("get the run that a fact names as active, and what the API server denies", async () => {
    const alert = firing("CronJobStale", { cronjob: "report" });
    const { selection } = await ask({ version: "4", alerts: [alert] }, [
      {
        signal_type: "CronJobNotRunning",
        target_resource: "shop/CronJob/report",
        active_job: "report-298",
        finding: "the prior execution is still active",
        denied_verb: "watch",
        denied_resource: "configmaps",
      },
    ]);

    expect(selection?.strategies[0]).toMatchObject({
      workflow_id: "end-hung-job",
      parameters: { JOB: "report-298", VERB: "watch", RESOURCE: "configmaps" },
    });
  });
});
