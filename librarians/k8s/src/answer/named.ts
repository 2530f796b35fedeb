import { trimTrailing } from "@constellation/authoring";
import { listAt, textAt } from "../cluster/fields.js";
import { kindNames } from "../cluster/kinds.js";
import { limitRefusal } from "../diagnosis/changes/capacity.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { FactValues, Finding } from "../diagnosis/finding.js";
import { boundTo, denialIn } from "../diagnosis/rbac-rules.js";

/** Kinds that messages name and that are not read. */
const unread = ["Secret", "PriorityClass", "RuntimeClass"];
const kindOf = new Map([...kindNames, ...unread].map((kind) => [kind.toLowerCase(), kind]));
const shortNames: Readonly<Record<string, string>> = { quota: "ResourceQuota" };

/** Objects that messages of Kubernetes name: `secret "smtp" not found`, `in ConfigMap shop/app`, `exceeded quota: team`. */
const inMessages = [
  /\b([a-z]{4,30}) "([a-z0-9][a-z0-9.-]{0,252})"/gi,
  /\bin (secret|configmap) [a-z0-9-]{1,63}\/([a-z0-9][a-z0-9.-]{0,252})/gi,
  /\b(?:exceeded|failed) (quota): ([a-z0-9][a-z0-9.-]{0,252})/gi,
  /\bno ([a-z]{6,30}) with name ([a-z0-9][a-z0-9.-]{0,252})/gi,
  /\bimage pull (secret)s? \(([a-z0-9][a-z0-9.-]{0,252})\)/gi,
];
/** Objects that the sentence of a finding names: `NetworkPolicy berths of namespace shop`. */
const inSentences = [
  new RegExp(
    `\\b(${[...kindOf.values()].join("|")}) (?:[a-z0-9-]{1,63}/)?([a-z0-9][a-z0-9.-]{0,252})(?![\\w.-])`,
    "g",
  ),
];
/** What messages name beside objects. */
const values = {
  container: /\bin container ([a-z0-9-]{1,63}) of pod/i,
  key: /\b(?:find key|non-existent (?:config|secret) key:) ([\w.-]{1,253})/i,
  taint_key: /\buntolerated taint \{([\w./-]{1,253})[:=}]/i,
  host_port: /\basks for hostPort (\d{1,5}),/i,
} as const;
/** Where the node is said that a volume is attached to. */
const attachment = /^VolumeAttachment\/[^#]{1,253}#spec\.nodeName$/;
/** What a program wrote in its log names nothing of the cluster, but for a call that its API server denies. */
const isLog = ({ values: { exit_code } }: Finding) => exit_code !== undefined;

/**
 * What a finding names, as data: objects as `Kind/name`, those of the message first, a container, a key, a taint, a port, what
 * access control denies, and the node that a volume is attached to.
 */
export function namedBy(one: Finding, view: ClusterView): FactValues {
  const { summary, message = "", object, signal, evidence } = one;
  const said = isLog(one) ? "" : message;
  const { account, verb, resource } = denialIn(message) ?? {};
  const roles =
    account === undefined ? [] : boundTo(account, view).flatMap((bound) => bound.role ?? []);
  const objects = [
    ...namesIn(said, inMessages),
    ...(account === undefined ? [] : [`ServiceAccount/${account.name}`]),
    ...roles.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ...limitRanges(said, object.metadata.namespace, view),
    ...(signal === "WebhookUnavailable" ? webhooksIn(said, view) : []),
    // What it quotes of others is behind its first colon.
    ...namesIn(summary.replace(/: [\s\S]*?(?=; |$)/g, ""), inSentences),
  ];
  const found = Object.entries(values).flatMap(([key, form]) => {
    const [, value] = form.exec(said) ?? form.exec(summary) ?? [];
    return value === undefined ? [] : [[key, value] as const];
  });
  const own = `${object.kind}/${object.metadata.name}`;
  const named = [...new Set(objects)].filter((name) => name !== own);
  return {
    ...Object.fromEntries(found),
    named_objects: named.length === 0 ? undefined : named,
    denied_verb: verb,
    denied_resource: resource,
    attached_node: evidence.find(({ id }) => attachment.test(id))?.text,
  };
}

function namesIn(text: string, forms: readonly RegExp[]): readonly string[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)].flatMap(([, word = "", name = ""]) => {
      const kind = kindOf.get(word.toLowerCase()) ?? shortNames[word.toLowerCase()];
      return kind === undefined ? [] : [`${kind}/${trimTrailing(name, /[.-]/)}`];
    }),
  );
}

/** The only one of the namespace, where a container may have no more or less than it allows. */
function limitRanges(said: string, namespace: string | undefined, view: ClusterView) {
  if (!limitRefusal.test(said)) return [];
  const own = view.list("LimitRange").filter(({ metadata }) => metadata.namespace === namespace);
  return own.length === 1 ? own.map(({ metadata }) => `LimitRange/${metadata.name}`) : [];
}

/** The configuration of a webhook that a message names. */
function webhooksIn(said: string, view: ClusterView): readonly string[] {
  const [, name] = /\bwebhook "([a-z0-9][a-z0-9.-]{0,252})"/i.exec(said) ?? [];
  return (["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"] as const).flatMap(
    (kind) =>
      view
        .list(kind)
        .filter((one) => listAt(one, "webhooks").some((hook) => textAt(hook, "name") === name))
        .map(({ metadata }) => `${kind}/${metadata.name}`),
  );
}
