import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { certificatesOf } from "../makers.js";
import { type Change, setField, textOf } from "./patch.js";

/** A webhook that cannot be called, and refuses all meanwhile: its CA, where it is known; else it is let pass. */
export function fixWebhook(one: Finding, view: ClusterView): Change | undefined {
  const said = textOf(one);
  const { object, index } = findWebhook(one, view) ?? {};
  if (object === undefined || index === undefined) return undefined;
  const hook = listAt(object, "webhooks")[index];
  const at = `webhooks[${index}]`;
  // What signed it is known, or it is not signed by a known one; an end in time is the certificate's own.
  const isUnknownCa = /x509|certificate/i.test(said) && !/expired|not yet valid/i.test(said);
  const name = textAt(hook, "clientConfig", "service", "name") ?? "";
  const service = view.get("Service", textAt(hook, "clientConfig", "service", "namespace"), name);
  const [certificate] = isUnknownCa ? certificatesOf(service, undefined, view) : [];
  const given = object.metadata.annotations?.["cert-manager.io/inject-ca-from"];
  const place = `${certificate?.metadata.namespace ?? ""}/${certificate?.metadata.name ?? ""}`;
  if (certificate !== undefined && given !== place)
    return setField(
      object,
      ["metadata", "annotations", "cert-manager.io/inject-ca-from"],
      `${at}.clientConfig.caBundle is not the CA of Certificate ${place}, which its service shows; cert-manager writes it there for this annotation`,
      place,
    );
  if ((textAt(hook, "failurePolicy") ?? "Fail") !== "Fail") return undefined;
  const why = isUnknownCa
    ? `${at}.clientConfig.caBundle does not fit the certificate that its service shows, and failurePolicy is Fail: write the right CA there, or`
    : `${at}.failurePolicy is Fail, so what it does not answer is refused:`;
  return setField(
    object,
    ["webhooks", index, "failurePolicy"],
    `${why} let it pass until it answers again`,
    "Ignore",
  );
}

/** The webhook that a finding is on, or that the API server's message names. */
function findWebhook(
  one: Finding,
  view: ClusterView,
): { readonly object: KubernetesObject; readonly index: number } | undefined {
  const [, named] = /failed calling webhook \\?"([\w.-]{1,253})\\?"/.exec(textOf(one)) ?? [];
  const configurations =
    listAt(one.object, "webhooks").length > 0
      ? [one.object]
      : (["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const).flatMap(
          (kind) => view.list(kind),
        );
  for (const object of configurations) {
    const index = listAt(object, "webhooks").findIndex((hook) =>
      named === undefined
        ? object === one.object && (textAt(hook, "failurePolicy") ?? "Fail") === "Fail"
        : textAt(hook, "name") === named,
    );
    if (index >= 0) return { object, index };
  }
  return undefined;
}
