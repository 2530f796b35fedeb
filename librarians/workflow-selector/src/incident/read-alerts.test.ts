import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { entry } from "../../test/workflows.js";
import { createMemoryCatalog } from "../catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian, type LabelNames } from "../index.js";
import { readAlertedObjects } from "./read-alerts.js";

const object = { namespace: "shop", resource_kind: "Deployment", resource_name: "checkout" };
const labels = { namespace: "shop", deployment: "checkout", alertname: "PodsCrash" };

/** The same alert, as each system sends it. */
const payloads: Readonly<Record<string, object>> = {
  Alertmanager: { version: "4", alerts: [{ status: "firing", labels, annotations: {} }] },
  Grafana: {
    title: "[FIRING:1] PodsCrash",
    state: "alerting",
    alerts: [{ status: "firing", labels, annotations: { summary: "x" }, valueString: "[]" }],
  },
  "Grafana before unified alerting": { ruleName: "PodsCrash", state: "alerting", tags: labels },
  "PagerDuty webhooks": {
    event: {
      event_type: "incident.triggered",
      data: { title: "PodsCrash", status: "triggered", urgency: "high", body: { details: labels } },
    },
  },
  "PagerDuty events": {
    event_action: "trigger",
    payload: { summary: "PodsCrash", severity: "critical", source: "x", custom_details: labels },
  },
  Opsgenie: {
    action: "Create",
    alert: { message: "PodsCrash", tags: ["namespace:shop", "deployment:checkout"], details: {} },
  },
  Datadog: {
    title: "PodsCrash",
    alert_transition: "Triggered",
    tags: "kube_namespace:shop,kube_deployment:checkout",
  },
  "CloudWatch by SNS": {
    TopicArn: "arn:aws:sns:x",
    Message: JSON.stringify({
      AlarmName: "PodsCrash",
      NewStateValue: "ALARM",
      Trigger: {
        Dimensions: [
          { name: "Namespace", value: "shop" },
          { name: "Deployment", value: "checkout" },
        ],
      },
    }),
  },
  "CloudWatch by EventBridge": {
    detail: {
      alarmName: "PodsCrash",
      state: { value: "ALARM", reason: "x" },
      configuration: {
        metrics: [
          { metricStat: { metric: { dimensions: { Namespace: "shop", Deployment: "checkout" } } } },
        ],
      },
    },
  },
};

/** What Alertmanager writes for PagerDuty. */
const written =
  "Labels:\n - alertname = PodsCrash\n - namespace = shop\n - deployment = checkout\nAnnotations:\n - summary = x\nSource: http://x\n";

/** Forms in which an alert arrives where no one configured its text. */
const defaults: Readonly<Record<string, unknown>> = {
  "PagerDuty events of Alertmanager": {
    event_action: "trigger",
    payload: { summary: "[FIRING:1]", severity: "error", custom_details: { firing: written } },
  },
  "PagerDuty webhooks of Alertmanager": {
    event: {
      event_type: "incident.triggered",
      data: { title: "[FIRING:1]", status: "triggered", body: { details: { firing: written } } },
    },
  },
  "Datadog without a template": {
    title: "[Triggered on {kube_namespace:shop,kube_deployment:checkout}] PodsCrash",
    body: "x",
    event_type: "query_alert_monitor",
    org: { id: "1" },
  },
  "Grafana before unified alerting": {
    title: "[Alerting] PodsCrash",
    ruleName: "PodsCrash",
    state: "alerting",
    tags: { team: "x" },
    evalMatches: [{ value: 1, tags: { namespace: "shop", deployment: "checkout" } }],
  },
  "the list of Alertmanager": [{ labels, annotations: {}, status: { state: "active" } }],
  "the list of Prometheus": { status: "success", data: { alerts: [{ labels, state: "firing" }] } },
};

/** How each says that it is over. */
const ends: readonly (readonly [name: string, text: string, ended: string])[] = [
  ["Alertmanager", '"firing"', '"resolved"'],
  ["Grafana before unified alerting", '"alerting"', '"ok"'],
  ["PagerDuty webhooks", '"triggered"', '"resolved"'],
  ["PagerDuty events", '"trigger"', '"resolve"'],
  ["Opsgenie", '"Create"', '"Close"'],
  ["Datadog", '"Triggered"', '"Recovered"'],
  ["CloudWatch by EventBridge", '"ALARM"', '"OK"'],
];

describe("the payload of an alerting system", () => {
  it.each(Object.entries(payloads))("is read for %s", (_, payload) => {
    const read = readAlertedObjects(payload);

    expect(read).toHaveLength(1);
    expect(read?.[0]).toMatchObject({
      isOver: false,
      signal: { ...object, signal_type: "PodsCrash" },
    });
  });

  it.each(Object.entries(defaults))("is read for %s", (_, payload) => {
    expect(readAlertedObjects(payload)).toMatchObject([
      { isOver: false, signal: { ...object, signal_type: "PodsCrash" } },
    ]);
  });

  it("is read for each alert of a text", () => {
    const firing = `${written}${written.replace("checkout", "cart")}`;
    const payload = { summary: "[FIRING:2]", severity: "error", custom_details: { firing } };

    expect(readAlertedObjects({ event_action: "trigger", payload })).toMatchObject([
      { signal: { resource_name: "checkout" } },
      { signal: { resource_name: "cart" } },
    ]);
  });

  it("is over where the title of Datadog says so", () => {
    const over = { title: "[Recovered on {a:b}] x", body: "x", event_type: "x", org: {} };

    expect(readAlertedObjects(over)).toMatchObject([{ isOver: true }]);
  });

  it.each(ends)("is over where %s says so", (name, text, ended) => {
    const over: unknown = JSON.parse(JSON.stringify(payloads[name]).replaceAll(text, ended));

    expect(readAlertedObjects(over)).toMatchObject([{ isOver: true }]);
  });

  it("is over where it is silenced, or always fires", () => {
    const read = (alert: object) => readAlertedObjects({ alerts: [alert] })?.[0]?.isOver;

    expect(read({ labels, status: { state: "suppressed", silencedBy: ["a"] } })).toBe(true);
    expect(read({ labels: { alertname: "Watchdog" } })).toBe(true);
    expect(read({ labels: { alertname: "InfoInhibitor", namespace: "shop" } })).toBe(true);
    expect(read({ labels })).toBe(false);
  });

  it("is read by the labels that are configured, before the usual ones", () => {
    const names: LabelNames = { namespace: ["tenant"], Deployment: ["app"], severity: ["level"] };
    const alert = {
      labels: { alertname: "A", tenant: "shop", app: "checkout", level: "critical" },
    };

    expect(readAlertedObjects({ alerts: [alert] }, names)?.[0]?.signal).toMatchObject({
      ...object,
      severity: "critical",
    });
  });

  it("takes the scrape job for no Job", () => {
    const [read] = readAlertedObjects({ alerts: [{ labels: { job: "node-exporter" } }] }) ?? [];

    expect(read?.signal).toMatchObject({ resource_kind: undefined, resource_name: undefined });
  });
});

const alertOn = (deployment: string, alertname: string, severity: string) => ({
  status: "firing",
  labels: { alertname, severity, namespace: "shop", deployment },
});

async function ask(query: string, cluster: Librarian) {
  const router = createRouter({ entry: "workflow-selector" });
  router.register(
    createWorkflowSelectorLibrarian({
      store: createMemoryCatalog([
        entry("raise-memory", {
          description: "Raises the memory limit of OOMKilled containers",
          parameters: [{ name: "TARGET_RESOURCE_NAME", type: "string", required: true }],
        }),
        entry("renew", { description: "Renews an expired certificate" }),
      ]),
    }),
  );
  router.register({
    id: "k8s",
    description: "Reads the cluster.",
    capabilities: ["kubernetes.facts"],
    librarian: cluster,
  });
  const response = await router.ask(query);
  await router.close();
  return response;
}

const killed: Librarian = async (query) => {
  const [, name = "checkout"] = /Deployment (\w+)/.exec(query) ?? [];
  const target_resource = `shop/Deployment/${name}`;
  return { answer: "x", metadata: { facts: [{ signal_type: "OOMKilled", target_resource }] } };
};

describe("a webhook with several alerts", () => {
  it("gives one result for each object, the most severe first, and loses none", async () => {
    const alerts = [
      alertOn("cart", "KubePodCrashLooping", "warning"),
      alertOn("checkout", "KubePodCrashLooping", "warning"),
      alertOn("checkout", "KubeDeploymentReplicasMismatch", "critical"),
      { ...alertOn("mail", "KubePodCrashLooping", "critical"), status: "resolved" },
    ];
    const cluster = vi.fn<Librarian>(killed);
    const { answer, metadata } = await ask(JSON.stringify({ alerts }), cluster);
    const results = metadata?.results as readonly { readonly object: string }[]; // what the librarian puts there

    expect(results.map((one) => one.object)).toEqual([
      "shop/Deployment/checkout",
      "shop/Deployment/cart",
    ]);
    expect(cluster).toHaveBeenCalledTimes(2);
    expect(answer?.match(/raise-memory 1\.0\.0/g)).toHaveLength(2);
  });

  it("gives one result for the pods of one Deployment, and names them and it", async () => {
    const alertOf = (pod: string) => ({
      status: "firing",
      labels: { alertname: "KubePodCrashLooping", namespace: "shop", pod },
    });
    const cluster: Librarian = async (query) => {
      const [, name = ""] = /Pod ([\w-]+)/.exec(query) ?? [];
      const target_resource = `shop/Pod/${name}`;
      const owner = "shop/apps/Deployment/checkout";
      return {
        answer: "x",
        metadata: { facts: [{ signal_type: "OOMKilled", target_resource, owner }] },
      };
    };
    const alerts = ["checkout-a", "checkout-b"].map(alertOf);
    const { metadata } = await ask(JSON.stringify({ alerts }), cluster);

    expect(metadata?.results).toMatchObject([
      { object: "shop/Pod/checkout-a", also: ["shop/Pod/checkout-b", "shop/Deployment/checkout"] },
    ]);
  });

  it("names the objects that are too many to be looked at", async () => {
    const alerts = Array.from({ length: 23 }, (_, at) => alertOn(`app${at}`, "Down", "warning"));
    const { answer, metadata, partial } = await ask(JSON.stringify({ alerts }), killed);

    expect(metadata?.results).toHaveLength(20);
    expect(answer).toContain("Not looked at: `shop/Deployment/app20`");
    expect(partial).toBe(true);
  });
});

describe("an alert about no object", () => {
  const text = (summary: string) =>
    JSON.stringify({ event_action: "trigger", payload: { summary, severity: "critical" } });

  it("never gets the worst trouble of the cluster", async () => {
    const { metadata, answer } = await ask(text("The north door is open"), killed);

    expect(metadata?.workflowSelection).toMatchObject({ strategies: [] });
    expect(answer).toContain("The alert is about no object");
  });

  it("is investigated where its text names one", async () => {
    const { answer } = await ask(text("checkout keeps crashing"), killed);

    expect(answer).toContain("**raise-memory 1.0.0** is proposed");
  });

  it("is not investigated where it is over", async () => {
    const cluster = vi.fn<Librarian>(killed);
    const watchdog = {
      alerts: [{ labels: { alertname: "Watchdog" }, annotations: { summary: "checkout" } }],
    };
    const { answer } = await ask(JSON.stringify(watchdog), cluster);

    expect(cluster).not.toHaveBeenCalled();
    expect(answer).toContain("fires always");
  });

  it("is over as a signal, too, whatever namespace it has", async () => {
    const { answer } = await ask('{"alertname":"Watchdog","namespace":"monitoring"}', killed);

    expect(answer).toContain("fires always");
  });
});

describe("an order of a person", () => {
  it.each([
    ["Fix checkout in shop", "What is wrong with checkout in shop?"],
    ["Please repair the checkout deployment.", "What is wrong with the checkout deployment?"],
  ])("%s asks what is wrong", async (query, question) => {
    const cluster = vi.fn<Librarian>(killed);
    const { answer } = await ask(query, cluster);

    expect(cluster.mock.calls[0]?.[0]).toBe(question);
    expect(answer).toContain("raise-memory");
  });
});
