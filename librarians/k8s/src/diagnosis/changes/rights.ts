import { listAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { boundTo, denialIn } from "../rbac-rules.js";
import { type Change, patch } from "./patch.js";

/** A right that is missing, added to the role that the account has already, or given by a new one. */
export function grantRight(one: Finding, view: ClusterView): Change | undefined {
  const texts = [one.message ?? "", one.summary, ...one.evidence.map(({ text }) => text)];
  const denial = texts.map(denialIn).find((found) => found !== undefined);
  const { account, verb, resource, group = "", namespace } = denial ?? {};
  if (account === undefined || verb === undefined || resource === undefined) return undefined;
  const what = `ServiceAccount ${account.namespace}/${account.name} has no rule for ${verb} on ${resource}${group === "" ? "" : `.${group}`}`;
  const bound = boundTo(account, view).find(
    ({ role, binding }) => role?.kind === "Role" && binding.metadata.namespace === namespace,
  );
  if (bound?.role !== undefined) {
    const value = { apiGroups: [group], resources: [resource], verbs: [verb] };
    const index = listAt(bound.role, "rules").length;
    return patch(
      bound.role,
      what,
      [{ op: "add", path: "/rules/-", value }],
      [{ op: "remove", path: `/rules/${index}` }],
    );
  }
  const name = `${account.name}-${verb}-${resource.replace("/", "-")}`;
  const kind = namespace === undefined ? "clusterrole" : "role";
  const binding = `${kind}binding`;
  const target = `${resource.split("/")[0] ?? ""}${group === "" ? "" : `.${group}`}${resource.includes("/") ? `/${resource.split("/")[1] ?? ""}` : ""}`;
  const place = option("-n", namespace);
  const [create] = kubectl`create ${kind} ${name} --verb=${verb} --resource=${target}${place}`;
  const [bind] =
    kubectl`create ${binding} ${name} --${kind}=${name} --serviceaccount=${`${account.namespace}:${account.name}`}${place}`;
  const [undo] = kubectl`delete ${`${binding}/${name}`} ${`${kind}/${name}`}${place}`;
  return create === undefined || bind === undefined
    ? undefined
    : { what, command: `${create} && ${bind}`, undo };
}
