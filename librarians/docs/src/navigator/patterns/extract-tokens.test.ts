import { describe, expect, it } from "vitest";
import { extractTokens } from "./extract-tokens.js";

/** `kind: text` of each token. */
function tokensOf(text: string): readonly string[] {
  return extractTokens(text).map(({ pattern, token }) => `${pattern.kind}: ${token.text}`);
}

describe("extractTokens", () => {
  it.each([
    ["See deployment/ghost.md.", "path: deployment/ghost.md"],
    ["Edit ./conf/app.yaml now", "path: ./conf/app.yaml"],
    ["Edit values.yaml, then", "path: values.yaml"],
    ["Mounted at /etc/ghost/tls", "path: /etc/ghost/tls"],
    ["GET /api/v1/ghost", "path: /api/v1/ghost"],
    ["See https://docs.acme.io/a/b.", "url: https://docs.acme.io/a/b"],
    ["(https://docs.acme.io/a_(b))", "url: https://docs.acme.io/a_(b)"],
    ["role arn:aws:iam::123456789012:role/x,", "arn: arn:aws:iam::123456789012:role/x"],
    ["in arn:aws-cn:s3:::bucket/key", "arn: arn:aws-cn:s3:::bucket/key"],
    ["Run `kubectl nuke all`", "command: kubectl nuke all"],
    ["Run `sudo argocd app frobnicate X`", "command: argocd app frobnicate"],
    ["```sh\n$ git frobnicate\n```", "command: git frobnicate"],
    ["`FOO=1 npm run ghost | jq .`", "command: npm run ghost"],
    ["Pass --ghost-flag=1 to", "flag: --ghost-flag"],
    ["Pass `--web.ghost`.", "flag: --web.ghost"],
    ["Set GHOST_TIMEOUT to", "environment-variable: GHOST_TIMEOUT"],
    ["Set $GHOST to", "environment-variable: $GHOST"],
    ["Since v2.26", "version: v2.26"],
    ["Since 2.26.0-rc.1", "version: 2.26.0-rc.1"],
    ["Until v3", "version: v3"],
    ["Set spec.ghost.mode to", "config-key: spec.ghost.mode"],
    ["Call reply.ghost() then", "config-key: reply.ghost()"],
    ["Annotate ghost.acme.io/wave with", "config-key: ghost.acme.io/wave"],
    ["Set honor_ghosts to", "identifier: honor_ghosts"],
    ["Set forceGhosts to", "identifier: forceGhosts"],
    ["A GhostSet is", "identifier: GhostSet"],
    ["Install @acme/ghost first", "identifier: @acme/ghost"],
    ["Waits 5m", "number: 5m"],
    ["Waits 5 minutes", "number: 5 minutes"],
    ["Waits 1h30m", "number: 1h30m"],
    ["Limited to 10MB", "number: 10MB"],
    ["About 12.5%", "number: 12.5%"],
    ["Costs $250", "number: $250"],
    ["On port 8080", "number: 8080"],
    ["At most 10,000 of them", "number: 10,000"],
    ["Until 2026-03-31", "number: 2026-03-31"],
    ['It says "no such pod here"', "error-text: no such pod here"],
    ['The error is "pods went away again"', "error-text: pods went away again"],
  ])("sees in %j: %s", (text, token) => {
    expect(tokensOf(text)).toEqual([token]);
  });

  it("sees both ends of a range, with the unit of its second", () => {
    const keys = extractTokens("Takes 15-20%").map(({ key }) => key);

    expect(keys).toEqual(["number share:15", "number share:20"]);
  });

  it.each([
    "Use either and/or both, for I/O and CI/CD, 24/7.",
    "Node.js, Next.js and Vue.js, e.g. with GitHub, BitBucket and JavaScript.",
    "On 2024/01/15 or 15/01/2024.",
    "Put it in path/to/file.md or your-app/values.yaml or <name>.md or docs/<page>.md.",
    "Any of src/**/*.ts or *.md.",
    "kubectl is a tool, and Helm charts are not; argocd app is prose.",
    "A dash -- like this -- or ---.",
    "Set it as YOUR_TOKEN, $HOME or API.",
    "1. First\n2. Second\n10. Tenth",
    "There are one or two, 3 or 4 ways, as in step 5 and figure 6.",
    "An S3 bucket, a 4xx status, sha256, h2c, x86_64 and p99.",
    "The address 10.0.0.1 of the host.",
    "It answers `yes`.",
    "",
  ])("sees nothing in %j", (text) => {
    expect(tokensOf(text)).toEqual([]);
  });

  it("gives what means the same once", () => {
    expect(tokensOf("It waits 5m, 5 minutes, or 300s. Since v2.1 or 2.1.")).toEqual([
      "version: v2.1",
      "number: 5m",
    ]);
  });

  it("takes no part of a token for another one", () => {
    expect(tokensOf("See https://acme.io/v1.2/fooBar.md?max_age=10s now")).toHaveLength(1);
  });

  it("knows the tool of a flag where it is in code behind one", () => {
    const owners = extractTokens("`argocd app sync --prune` or --dry-run").map(
      ({ token }) => token.owner,
    );

    expect(owners).toEqual([undefined, "argocd", undefined]);
  });

  it("gives no more than it is asked for", () => {
    expect(extractTokens("--a1 --a2 --a3", 2)).toHaveLength(2);
  });
});
