import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { getKind, isKindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { boundTo, findGrants, rightsFor } from "../diagnosis/rbac-rules.js";
import type { LookupScope } from "../query/lookup-scope.js";
import { verbIn } from "../question/right-words.js";
import { cannotTell, type LookedUp } from "./forms.js";

/** Resources that are not kinds that are read. */
const others = /\b(secrets?|exec|logs?|events?)\b/i;

/** What roles and bindings say of a verb on a kind: for a named account, or of all accounts. */
export function rightsIn(scope: LookupScope): LookedUp {
  const { kinds, query, view } = scope;
  const verb = verbIn(query);
  const known = kinds.filter(isKindName).find((one) => one !== "ServiceAccount");
  const kind = known === undefined ? undefined : getKind(known);
  const resource = kind?.plural ?? others.exec(query)?.[1]?.toLowerCase() ?? "pods";
  const account = findAccount(scope);
  if (account !== undefined && verb === undefined)
    return lookupAllRights(account, kind?.plural, view);
  const place = scope.namespace ?? account?.metadata.namespace;
  const namespace = kind?.namespaced === false ? undefined : place;
  const denial = { verb: verb ?? "get", resource, group: kind?.group ?? "", namespace };
  const what = `${denial.verb} ${resource}${namespace === undefined ? "" : ` in namespace ${namespace}`}`;
  if (account !== undefined) {
    const who = { namespace: account.metadata.namespace ?? "", name: account.metadata.name };
    const { isAllowed, bindings, text } = rightsFor({ ...denial, account: who }, view);
    if (isAllowed === undefined)
      return cannotTell(
        `Whether ${toObjectId(account)} may ${what}`,
        "roles and bindings were not read",
      );
    return {
      head: `${isAllowed ? "Yes" : "No"}: ${toObjectId(account)} is ${isAllowed ? "" : "not "}allowed to ${what}`,
      lines: [
        { text },
        ...bindings.map((of) => ({
          of,
          text: `binds it to ${textAt(of, "roleRef", "kind") ?? "role"} ${textAt(of, "roleRef", "name") ?? "?"}`,
        })),
      ],
      objects: [account, ...bindings],
    };
  }
  if (!areBindingsRead(view)) return cannotTell(`Who may ${what}`, "bindings were not read");
  const found = findGrants(denial, view);
  return {
    head: `${found.length} ${found.length === 1 ? "binding allows" : "bindings allow"} to ${what}`,
    lines: found.map(({ binding, role }) => ({
      of: binding,
      text: `gives ${toObjectId(role)} to ${printSubjects(binding)}`,
    })),
    objects: found.map(({ binding }) => binding),
  };
}

/** The account that a question names, or that has the name of what it names, or that this runs as. */
function findAccount({ named, view }: LookupScope): KubernetesObject | undefined {
  const own = named.find(({ kind }) => kind === "ServiceAccount");
  if (own !== undefined) return own;
  const [found] = named.flatMap((one) => {
    const { name, namespace = "" } = one.metadata;
    const spec = findPodSpec(one);
    const runsAs =
      spec === undefined
        ? []
        : [toAccount(textAt(spec, "serviceAccountName") ?? "default", namespace)];
    return [...[view.get("ServiceAccount", namespace, name) ?? []].flat(), ...runsAs];
  });
  return found;
}

/** An account, whether it was read or not. */
function toAccount(name: string, namespace: string): KubernetesObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
}

function areBindingsRead(view: ClusterView): boolean {
  return view.isRead("RoleBinding") && !view.problems.has("RoleBinding");
}

/** Every rule of the roles that an account is bound to. */
function lookupAllRights(
  account: KubernetesObject,
  resource: string | undefined,
  view: ClusterView,
): LookedUp {
  const who = { namespace: account.metadata.namespace ?? "", name: account.metadata.name };
  const bound = boundTo(who, view);
  const all = bound.flatMap(({ binding: of, role }) => {
    if (role === undefined)
      return [
        {
          of,
          text: `its role ${textAt(of, "roleRef", "name") ?? "?"} does not exist or was not read`,
        },
      ];
    const where =
      of.metadata.namespace === undefined ? "everywhere" : `in namespace ${of.metadata.namespace}`;
    return listAt(role, "rules").map((rule) => {
      const list = (field: string) => listAt(rule, field).map(String).join(", ");
      return {
        of: role,
        text: `${list("verbs")} on ${list("resources") || list("nonResourceURLs")} ${where}, bound by ${of.metadata.name}`,
      };
    });
  });
  const ofResource =
    resource === undefined ? [] : all.filter(({ text }) => text.includes(resource));
  if (bound.length === 0 && !areBindingsRead(view))
    return cannotTell(`What ${toObjectId(account)} may do`, "roles and bindings were not read");
  const why = ", so it may do nothing but what every account may";
  return {
    head: `${toObjectId(account)} is bound to ${bound.length} ${bound.length === 1 ? "role" : "roles"}${bound.length === 0 ? why : ""}`,
    lines: ofResource.length > 0 ? ofResource : all,
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
