import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";

/** A call to the API server that its access control refused, as the message says it. */
export interface Denial {
  readonly account: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string | undefined;
  /** Plural, with the subresource: `pods/log`. */
  readonly resource: string | undefined;
  readonly group: string | undefined;
  /** Undefined: at the cluster scope. */
  readonly namespace: string | undefined;
}

const account = /system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})/i;
const call =
  /cannot (\w{2,20}) (?:resource|path) \\?"([^"\\]{1,253})\\?"(?: in API group \\?"([^"\\]{0,253})\\?")?(?: in the namespace \\?"([^"\\]{1,63})\\?")?/i;
/** What clients of several languages print of a 403 of the API server. */
const wordings =
  /is forbidden: user|forbidden: user|system:serviceaccount[^ ]{1,320}"? cannot|cannot (?:get|list|watch|create|update|patch|delete|deletecollection) resource|apiexception.{0,40}403|failure executing: .{0,300}code=403|http-code: 403|"?statuscode"?: 403.{0,60}forbidden/i;
/** A refusal by something else: admission, quotas, or another server. */
const others =
  /exceeded quota|violates podsecurity|admission webhook|limitrange|maximum \w+ usage|error looking up service account/i;

/** Reads a text as a denial of the API server. Undefined for any other text. */
export function denialIn(text: string): Denial | undefined {
  const line = text.slice(0, 2_000);
  if (!wordings.test(line) || others.test(line)) return undefined;
  const [, accountNamespace, accountName] = account.exec(line) ?? [];
  const [, verb, resource, group, namespace] = call.exec(line) ?? [];
  return {
    account:
      accountNamespace === undefined || accountName === undefined
        ? undefined
        : { namespace: accountNamespace, name: accountName },
    verb: verb?.toLowerCase(),
    resource,
    group,
    namespace,
  };
}

/** What was found out about the rights of an account. */
export interface RightsReport {
  /** Undefined where roles and bindings could not be read. */
  readonly isAllowed: boolean | undefined;
  /** Bindings that name the account, with the roles they give. */
  readonly bindings: readonly KubernetesObject[];
  readonly text: string;
}

/** Evaluates roles and bindings for a denied call. */
export function rightsFor(denial: Denial, view: ClusterView): RightsReport {
  const { account: who, verb = "?", resource = "?", namespace } = denial;
  const grant = `${verb} on ${resource}${namespace === undefined ? "" : ` in namespace ${namespace}`}`;
  if (who === undefined) return { isAllowed: undefined, bindings: [], text: "" };
  const name = `ServiceAccount ${who.namespace}/${who.name}`;
  const isRead =
    view.presence("RoleBinding", namespace, "\0") === "missing" ||
    view.list("RoleBinding").length > 0;
  if (!isRead) {
    return {
      isAllowed: undefined,
      bindings: [],
      text: `${name} needs ${grant}; roles and bindings were not readable`,
    };
  }
  const bindings = [
    ...view.list("ClusterRoleBinding"),
    ...view.list("RoleBinding").filter((one) => one.metadata.namespace === namespace),
  ].filter((binding) => names(binding, who));
  const roles = bindings.map((binding) => ({ binding, role: findBoundRole(binding, view) }));
  const dangling = roles
    .filter(({ role }) => role === undefined)
    .map(({ binding }) => textAt(binding, "roleRef", "name") ?? "?");
  const isAllowed = roles.some(({ role }) => role !== undefined && grants(role, denial));
  const near = nearAccounts(who, view);
  const what =
    bindings.length === 0
      ? `no binding names ${name}${near === undefined ? "" : `; ${near}`}`
      : isAllowed
        ? `${name} is allowed ${grant} now`
        : `${name} is bound to ${bindings.map((one) => textAt(one, "roleRef", "name") ?? "?").join(", ")}, which ${bindings.length === 1 ? "does" : "do"} not grant ${grant}`;
  const lost =
    dangling.length === 0 ? "" : `; role ${dangling.join(", ")} does not exist or was not read`;
  return { isAllowed, bindings, text: `${what}${lost}` };
}

function names(binding: KubernetesObject, who: NonNullable<Denial["account"]>): boolean {
  return listAt(binding, "subjects").some((subject) => {
    const name = textAt(subject, "name") ?? "";
    switch (textAt(subject, "kind")) {
      case "ServiceAccount":
        return (
          name === who.name &&
          (textAt(subject, "namespace") ?? binding.metadata.namespace) === who.namespace
        );
      case "User":
        return name === `system:serviceaccount:${who.namespace}:${who.name}`;
      case "Group":
        return [
          "system:serviceaccounts",
          `system:serviceaccounts:${who.namespace}`,
          "system:authenticated",
        ].includes(name);
      default:
        return false;
    }
  });
}

function findBoundRole(binding: KubernetesObject, view: ClusterView): KubernetesObject | undefined {
  const kind = textAt(binding, "roleRef", "kind") ?? "Role";
  const where = kind === "Role" ? binding.metadata.namespace : undefined;
  return view.get(kind, where, textAt(binding, "roleRef", "name") ?? "");
}

function grants(role: KubernetesObject, { verb = "", resource = "", group = "" }: Denial): boolean {
  const has = (rule: unknown, field: string, ...wanted: readonly string[]) =>
    listAt(rule, field).some((one) => one === "*" || wanted.includes(String(one)));
  const [, subresource] = resource.split("/");
  return listAt(role, "rules").some(
    (rule) =>
      has(rule, "verbs", verb) &&
      has(rule, "apiGroups", group) &&
      has(
        rule,
        "resources",
        resource,
        ...(subresource === undefined ? [] : [`*/${subresource}`]),
      ) &&
      listAt(rule, "resourceNames").length === 0,
  );
}

/** Bindings that name an account, in every namespace, with their roles. */
export function boundTo(
  who: NonNullable<Denial["account"]>,
  view: ClusterView,
): readonly { readonly binding: KubernetesObject; readonly role: KubernetesObject | undefined }[] {
  return [...view.list("ClusterRoleBinding"), ...view.list("RoleBinding")]
    .filter((binding) => names(binding, who))
    .map((binding) => ({ binding, role: findBoundRole(binding, view) }));
}

/** Bindings that give anyone a right, with the roles that grant it. */
export function findGrants(
  denial: Omit<Denial, "account">,
  view: ClusterView,
): readonly { readonly binding: KubernetesObject; readonly role: KubernetesObject }[] {
  return [
    ...view.list("ClusterRoleBinding"),
    ...view
      .list("RoleBinding")
      .filter(
        (one) => denial.namespace === undefined || one.metadata.namespace === denial.namespace,
      ),
  ].flatMap((binding) => {
    const role = findBoundRole(binding, view);
    return role !== undefined && grants(role, { ...denial, account: undefined })
      ? [{ binding, role }]
      : [];
  });
}

/** A binding for an account of nearly that name, or of that name in another namespace: a typo. */
function nearAccounts(who: NonNullable<Denial["account"]>, view: ClusterView): string | undefined {
  for (const binding of [...view.list("RoleBinding"), ...view.list("ClusterRoleBinding")]) {
    for (const subject of listAt(binding, "subjects")) {
      if (textAt(subject, "kind") !== "ServiceAccount") continue;
      const name = textAt(subject, "name") ?? "";
      const where = textAt(subject, "namespace") ?? binding.metadata.namespace;
      const isNear =
        name === who.name
          ? where !== who.namespace
          : where === who.namespace &&
            (name.startsWith(who.name) || who.name.startsWith(name)) &&
            name !== "";
      if (isNear) return `${binding.kind} ${binding.metadata.name} names ${where}/${name}`;
    }
  }
  return undefined;
}
