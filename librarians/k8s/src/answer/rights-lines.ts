import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { getKind, isKindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { boundTo, findGrants, rightsFor } from "../diagnosis/rbac-rules.js";
import { verbIn } from "../question/right-words.js";
import type { LookedUp, LookupScope } from "./lookup-scope.js";
import { code, escaped } from "./markdown.js";

/** What roles and bindings say of a verb on a kind: for a named account, or of all accounts. */
export function rightsIn(
  { named, kinds, query, namespace }: LookupScope,
  view: ClusterView,
): LookedUp {
  const verb = verbIn(query) ?? "get";
  const kind = kinds.filter(isKindName).find((one) => one !== "ServiceAccount");
  const resource = kind === undefined ? resourceIn(query) : getKind(kind).plural;
  const group = kind === undefined ? "" : getKind(kind).group;
  const account = named.find((one) => one.kind === "ServiceAccount");
  if (account !== undefined && verbIn(query) === undefined)
    return lookupAllRights(account, kind === undefined ? undefined : getKind(kind).plural, view);
  const where = namespace ?? account?.metadata.namespace;
  const what = `${verb} ${resource}${where === undefined ? "" : ` in namespace ${where}`}`;
  const isRead = view.isRead("RoleBinding") && !view.problems.has("RoleBinding");
  if (account !== undefined) {
    const { isAllowed, bindings, text } = rightsFor(
      {
        account: { namespace: account.metadata.namespace ?? "", name: account.metadata.name },
        verb,
        resource,
        group,
        namespace: where,
      },
      view,
    );
    const verdict =
      isAllowed === undefined ? "was not decided for" : isAllowed ? "may" : "may not (not allowed)";
    return {
      head: `${toObjectId(account)} ${verdict} ${what}.`,
      lines: [
        escaped(text),
        ...bindings.map(
          (one) =>
            `bound by ${code(toObjectId(one))} to ${escaped(`${textAt(one, "roleRef", "kind") ?? "role"} ${textAt(one, "roleRef", "name") ?? "?"}`)}`,
        ),
      ],
      objects: [account, ...bindings],
    };
  }
  const found = findGrants({ verb, resource, group, namespace: where }, view);
  return {
    head: isRead
      ? `${found.length} ${found.length === 1 ? "binding allows" : "bindings allow"} to ${what}.`
      : `Who may ${what} cannot be said: bindings were not read.`,
    lines: found
      .slice(0, 12)
      .map(
        ({ binding, role }) =>
          `${code(toObjectId(binding))} gives ${code(toObjectId(role))} to ${escaped(printSubjects(binding))}`,
      ),
    objects: found.map(({ binding }) => binding),
  };
}

/** Every rule of the roles that an account is bound to. */
function lookupAllRights(
  account: KubernetesObject,
  resource: string | undefined,
  view: ClusterView,
): LookedUp {
  const who = { namespace: account.metadata.namespace ?? "", name: account.metadata.name };
  const bound = boundTo(who, view);
  const all = bound.flatMap(({ binding, role }) =>
    role === undefined
      ? [
          `${code(toObjectId(binding))}: its role ${textAt(binding, "roleRef", "name") ?? "?"} does not exist or was not read`,
        ]
      : listAt(role, "rules").map((rule) => {
          const list = (field: string) => listAt(rule, field).map(String).join(", ");
          const where = binding.metadata.namespace;
          return `${list("verbs")} on ${list("resources") || list("nonResourceURLs")}${where === undefined ? " everywhere" : ` in namespace ${where}`} (${code(toObjectId(role))}, bound by ${code(toObjectId(binding))})`;
        }),
  );
  const ofResource = resource === undefined ? [] : all.filter((line) => line.includes(resource));
  const lines = ofResource.length > 0 ? ofResource : all;
  return {
    head: `${toObjectId(account)} is bound to ${bound.length} ${bound.length === 1 ? "role" : "roles"}${bound.length === 0 ? (view.isRead("RoleBinding") && !view.problems.has("RoleBinding") ? ", so it may do nothing but what every account may" : " in what was read; bindings were not readable") : ""}.`,
    lines: lines.slice(0, 12),
    objects: [
      account,
      ...bound.flatMap(({ binding, role }) => (role === undefined ? [binding] : [binding, role])),
    ],
  };
}

function printSubjects(binding: KubernetesObject): string {
  return listAt(binding, "subjects")
    .slice(0, 8)
    .map((one) => {
      const place = textAt(one, "namespace");
      return `${textAt(one, "kind") ?? "?"} ${place === undefined ? "" : `${place}/`}${textAt(one, "name") ?? "?"}`;
    })
    .join(", ");
}

/** A resource that is not a kind that is read, such as secrets. */
function resourceIn(query: string): string {
  return (
    /\b(secrets?|nodes?|exec|logs?|namespaces?|events?)\b/i.exec(query)?.[1]?.toLowerCase() ??
    "pods"
  );
}
