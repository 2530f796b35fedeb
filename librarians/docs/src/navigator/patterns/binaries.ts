/**
 * Command-line tools whose commands are checked. The number is how many words after the name belong
 * to the command; later ones are arguments: one in `kubectl get pods`, two in `argocd app sync
 * guestbook`.
 */
const depths: Readonly<Record<string, number>> = {
  ...each(
    1,
    "kubectl oc git npm npx pnpm yarn node deno bun docker podman nerdctl helm terraform tofu",
  ),
  ...each(
    1,
    "kustomize openssl go make cargo pip pip3 python python3 systemctl journalctl jq yq curl wget",
  ),
  ...each(
    1,
    "minikube kind k3d k3s kubeadm skaffold ansible ansible-playbook vagrant packer vault consul nomad",
  ),
  ...each(
    1,
    "nats redis-cli psql mysql mongosh apt apt-get yum dnf brew apk etcdctl crictl ctr stern k9s",
  ),
  ...each(1, "prometheus alertmanager node_exporter fastify jsonnet jb kubeseal sops cosign trivy"),
  ...each(
    2,
    "argocd promtool amtool aws az gcloud gh glab flux istioctl linkerd cilium velero kubectx eksctl",
  ),
  ...each(
    2,
    "doctl flyctl heroku oci ibmcloud vercel netlify wrangler argo kn tkn talosctl calicoctl",
  ),
};

/** Words that open a group of commands of a tool and are not commands by themselves. */
const groups: Readonly<Record<string, ReadonlySet<string>>> = {
  kubectl: set("rollout config create set top auth certificate cluster-info argo krew"),
  oc: set("rollout config create set adm policy"),
  docker: set("compose container image network volume system buildx context plugin swarm stack"),
  podman: set("container image network volume system machine pod"),
  helm: set("repo dependency plugin get show registry search"),
  npm: set("run config cache run-script access team token"),
  pnpm: set("run config store"),
  yarn: set("run config workspace workspaces"),
  git: set("remote submodule config stash worktree bisect notes"),
  go: set("mod tool work"),
  terraform: set("state workspace providers"),
  tofu: set("state workspace providers"),
  minikube: set("addons config image profile"),
  kubeadm: set("token certs config upgrade"),
  vault: set("kv auth secrets policy operator token"),
  kind: set("create delete get load export"),
  gcloud: set("container compute iam projects auth config"),
};

/** Pairs of words that open a group of commands of a tool. */
const deepGroups: Readonly<Record<string, ReadonlySet<string>>> = {
  argocd: new Set(
    [
      "proj role",
      "proj windows",
      "admin settings",
      "admin app",
      "admin cluster",
      "admin proj",
    ].concat(["admin repo", "admin notifications", "admin redis-initial-password"]),
  ),
  promtool: new Set(["tsdb create-blocks-from"]),
  gcloud: new Set(["container clusters", "container node-pools", "compute instances", "iam roles"]),
  az: new Set(["aks nodepool", "network vnet", "acr repository", "role assignment"]),
};

/** Whether a word is the name of a command-line tool: one of the list, or built like one. */
export function isBinary(name: string): boolean {
  return Object.hasOwn(depths, name) || /^[a-z][a-z0-9]{1,30}(?:ctl|-cli)$/.test(name);
}

/** Counts the words after a tool's name that belong to the command. */
export function countCommandWords(
  binary: string,
  [first = "", second = ""]: readonly string[],
): number {
  const depth = Object.hasOwn(depths, binary) ? (depths[binary] ?? 2) : 2;
  const has = (of: typeof groups, name: string) =>
    Object.hasOwn(of, binary) && of[binary]?.has(name) === true;
  if (has(deepGroups, `${first} ${second}`)) return 3;
  return has(groups, first) ? Math.max(depth, 2) : depth;
}

function each(depth: number, names: string): Readonly<Record<string, number>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, depth]));
}

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
