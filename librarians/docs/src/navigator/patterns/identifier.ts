import type { Evidence, Standing } from "../evidence/evidence.js";
import { standsIn } from "../evidence/stands-in.js";
import { isPlaceholder, matches, type Pattern } from "./pattern.js";

/** honor_labels, forceCloseConnections, ApplicationSet, @fastify/cors */
const form =
  /(?<![\w.@/-])(?:[a-z][a-z0-9]{0,60}(?:_[a-z0-9]{1,60}){1,12}|[a-z]+[a-z0-9]{0,60}(?:[A-Z][a-z0-9]{1,60}){1,12}|[A-Z][a-z0-9]{1,60}(?:[A-Z][a-z0-9]{1,60}){1,12}|@[\w-]{1,60}\/[\w.-]{1,80})(?:\(\))?(?![\w/])/g;

/** Names that are written like identifiers and belong to no documentation in particular. */
const brands: ReadonlySet<string> = new Set(
  `github gitlab bitbucket javascript typescript postgresql mysql mongodb couchdb rabbitmq activemq
  opentelemetry openshift opensearch openapi openssl openid openldap youtube linkedin whatsapp iphone
  powershell macos devops gitops finops sysadmin vscode pagerduty victoriametrics virtualbox wordpress
  graphql websocket websockets webhook webhooks cloudformation cloudwatch cloudflare dynamodb datadog
  newrelic stackoverflow dockerhub circleci sonarqube hashicorp kubeconfig jetbrains intellij coffeescript
  iot ebook readme x86_64`.split(/\s+/),
);

/** Names of code: of options, functions, types, metrics, packages. */
export const identifierPattern: Pattern = {
  kind: "identifier",
  noun: "the name",
  mustBeCited: false,
  extract: ({ text }) =>
    [...matches(form, text)].filter(({ text: name }) => {
      const plain = plainName(name);
      return !brands.has(plain.toLowerCase()) && !isPlaceholder(plain);
    }),
  find: ({ text }, evidence): Standing => findName(plainName(text), evidence),
  key: ({ text }) => plainName(text),
};

function findName(name: string, evidence: Evidence): Standing {
  const exact = evidence.findText(name);
  if (exact !== "nowhere") return exact;
  // A plural of a name, or the one name of a plural.
  const number = /[a-z]s$/.test(name) ? name.slice(0, -1) : `${name}s`;
  const other = evidence.findText(number);
  if (other !== "nowhere") return other;
  // The cited section may write in words what code writes in one.
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, " ")
    .trim()
    .toLowerCase();
  const spelt = [words, words.replaceAll(" ", "-"), words.replaceAll(" ", "_")];
  const isSpelt = evidence.cited.some(({ folded, plain }) =>
    spelt.some((spelling) => standsIn(folded, spelling) || standsIn(plain, spelling)),
  );
  return isSpelt ? "elsewhere" : "nowhere";
}

function plainName(text: string): string {
  return text.replace(/\(\)$/, "");
}
