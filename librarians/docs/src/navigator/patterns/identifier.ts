import { containsToken } from "../evidence/contains-token.js";
import type { Evidence, TokenLocation } from "../evidence/evidence.js";
import { isPlaceholder, matches, type Pattern } from "./pattern.js";

/** honor_labels, forceCloseConnections, ApplicationSet, @fastify/cors */
const form =
  /(?<![\w.@/-])(?:[a-z][a-z0-9]{0,60}(?:_[a-z0-9]{1,60}){1,12}|[a-z]+[a-z0-9]{0,60}(?:[A-Z][a-z0-9]{1,60}){1,12}|[A-Z][a-z0-9]{1,60}(?:[A-Z][a-z0-9]{1,60}){1,12}|@[\w-]{1,60}\/[\w.-]{1,80})(?:\(\))?(?![\w/])/g;

/** Well-known names that look like identifiers but are not specific to one documentation. */
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
      const plain = normaliseName(name);
      return !brands.has(plain.toLowerCase()) && !isPlaceholder(plain);
    }),
  find: ({ text }, evidence): TokenLocation => findName(normaliseName(text), evidence),
  key: ({ text }) => normaliseName(text),
};

function findName(name: string, evidence: Evidence): TokenLocation {
  const exact = evidence.findText(name);
  if (exact !== "nowhere") return exact;
  // The plural of a name, or the singular of a plural.
  const number = /[a-z]s$/.test(name) ? name.slice(0, -1) : `${name}s`;
  const other = evidence.findText(number);
  if (other !== "nowhere") return other;
  // The cited section may write an identifier as separate words.
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, " ")
    .trim()
    .toLowerCase();
  const spelt = [words, words.replaceAll(" ", "-"), words.replaceAll(" ", "_")];
  const isSpelt = evidence.cited.some(({ folded, plain }) =>
    spelt.some((spelling) => containsToken(folded, spelling) || containsToken(plain, spelling)),
  );
  return isSpelt ? "elsewhere" : "nowhere";
}

function normaliseName(text: string): string {
  return text.replace(/\(\)$/, "");
}
