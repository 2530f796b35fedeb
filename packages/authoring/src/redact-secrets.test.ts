import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundsOf } from "../test/rounds.js";
import { redactSecrets } from "./redact-secrets.js";
import { sanitizeText } from "./sanitize-text.js";

/** Assembled here, so that no scanner takes this file for a leak. */
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N"].join(
  ".",
);
const awsId = `AKIA${"IOSFODNN7EXAMPLE"}`;
const awsKey = ["wJalrXUtnFEMI", "K7MDENG", "bPxRfiCYEXAMPLEKEY"].join("/");

describe("redactSecrets", () => {
  it.each([
    ["password=hunter2", "password=[REDACTED]"],
    ['{"password":"hun\\"ter2","user":"bob"}', '{"password":"[REDACTED]","user":"bob"}'],
    ['{"password" : "hunter2"}', '{"password" : "[REDACTED]"}'],
    [
      'msg="{\\"apiKey\\":\\"hunter2\\",\\"n\\":1}"',
      'msg="{\\"apiKey\\":\\"[REDACTED]\\",\\"n\\":1}"',
    ],
    ['{"password":12345678,"n":1}', '{"password":"[REDACTED]","n":1}'],
    ['{"secrets":["hun]ter2","b"],"n":1}', '{"secrets":["[REDACTED]"],"n":1}'],
    [
      '{"credentials":{"user":"bob","password":"x"}}',
      '{"credentials":{"user":"bob","password":"[REDACTED]"}}',
    ],
    ["Cookie: sid=hunter2; theme=hunter2", "Cookie: [REDACTED]"],
    ["GET /b?sv=2&sig=hunter2%3D&se=3", "GET /b?sv=2&sig=[REDACTED]&se=3"],
    ["curl -u bob:hunter2 http://h/", "curl -u [REDACTED] http://h/"],
    ["create user bob identified by 'hunter2';", "create user bob identified by '[REDACTED]';"],
    [
      "<db><adminPassword>hunter2</adminPassword></db>",
      "<db><adminPassword>[REDACTED]</adminPassword></db>",
    ],
    [
      "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=hunter2==;EndpointSuffix=y",
      "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=[REDACTED];EndpointSuffix=y",
    ],
    [
      `{".dockerconfigjson":"${Buffer.from('{"auths":{"hunter2":1}}').toString("base64")}"}`,
      '{".dockerconfigjson":"[REDACTED]"}',
    ],
    ["PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[REDACTED] psql -h db"],
    ["mongodb+srv://bob:hunter%402@cluster0/shop", "mongodb+srv://[REDACTED]@cluster0/shop"],
    ["DB_PASSWORD: hunter2", "DB_PASSWORD: [REDACTED]"],
    ["token: hunter2, user: bob", "token: [REDACTED], user: bob"],
    [
      "Server=db;User Id=sa;Password=hun,ter2;Timeout=3",
      "Server=db;User Id=sa;Password=[REDACTED];Timeout=3",
    ],
    ["https://h/?access_token=hunter2&page=2", "https://h/?access_token=[REDACTED]&page=2"],
    ["Authorization: Bearer hunter2hunter2", "Authorization: Bearer [REDACTED]"],
    ["curl -H 'authorization: hunter2'", "curl -H 'authorization: [REDACTED]'"],
    ["used Basic aHVudGVyMjpodW50ZXIy", "used Basic [REDACTED]"],
    ["postgres://app:hunter2@db:5432/shop", "postgres://[REDACTED]@db:5432/shop"],
    ["redis://:hun@ter2@cache:6379", "redis://[REDACTED]@cache:6379"],
    ["dsn root:hunter2@tcp(db:3306)/shop", "dsn [REDACTED]@tcp(db:3306)/shop"],
    ["app --db-password hunter2 --port 80", "app --db-password [REDACTED] --port 80"],
    ['{"name":"DB_PASSWORD","value":"hunter2"}', '{"name":"DB_PASSWORD","value":"[REDACTED]"}'],
    ["- name: API_TOKEN\n  value: hunter2\n", "- name: API_TOKEN\n  value: [REDACTED]\n"],
    [`jwt ${jwt} end`, "jwt [REDACTED] end"],
    [`id ${awsId} end`, "id [REDACTED] end"],
    [`key ${awsKey} end`, "key [REDACTED] end"],
    ["/files/shared/Xq7BvRTwLZ9dKp2mNcHs4Y/sheet", "/files/shared/[REDACTED]/sheet"],
    [
      "-----BEGIN RSA PRIVATE KEY-----\nMIIhunter2\n-----END RSA PRIVATE KEY-----\nnext",
      "-----BEGIN RSA PRIVATE KEY-----[REDACTED]-----END RSA PRIVATE KEY-----\nnext",
    ],
    ["-----BEGIN PRIVATE KEY-----\nMIIhunter2", "-----BEGIN PRIVATE KEY-----[REDACTED]"],
    ["pass\u200Bword=hunter2", "password=[REDACTED]"],
    ["\u001b[31mpassword\u001b[0m=hunter2", "password=[REDACTED]"],
  ])("hides the value in %j", (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  it.each([
    'MountVolume.SetUp failed for volume "secret" : secret "db-credentials" not found',
    'Error: secret "db-credentials" not found',
    'MountVolume.SetUp failed for volume "kube-api-access-x" : failed to fetch token: serviceaccounts "web" not found',
    'User "system:serviceaccount:shop:default" cannot list resource "secrets" in API group "" in the namespace "shop"',
    "volumes:\n- secret:\n    secretName: db",
    'exec: "/app/run": stat /app/run: no such file or directory: unknown',
    "OOMKilled: limit 512Mi, exit code 137, uid 0d6f7a52-7c3e-4a0e-9a55-c1f8b3a2d9e0",
    "couldn't find key password in Secret shop/db-credentials",
    "invalid token: expected 2 arguments",
    "secretName: db-credentials",
    "max_tokens: 4096",
    'Failed to pull image "nginx:1.25@sha256:0f3c8e2b7a0f3c8e2b7a0f3c8e2b7a0f3c8e2b7a0f3c8e2b7a0f3c8e2b7a": not found',
    "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}.",
    'Readiness probe failed: Get "http://10.1.2.3:8080/healthz": dial tcp 10.1.2.3:8080: connect: connection refused',
    "back-off 5m0s restarting failed container=web pod=api-7f6d9c5b4-x2x9z_shop(0d6f7a52-7c3e-4a0e-9a55-c1f8b3a2d9e0)",
    "Basic authentication failed for user bob",
    "a token using the Kubernetes auth: permission denied",
    "failed to authorize: failed to fetch oauth token: unexpected status: token: 401 Unauthorized",
    "at broken (/tmp/tmp.Xq7BvRTwLZ/packages/server/test/stored-runs.test.ts:177:11)",
    'failed to call webhook: Post "https://hook.shop.svc:443/validate?timeout=10s": no endpoints available',
  ])("leaves %j as it is", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it("strips colours, control, direction and invisible characters, and keeps lines and tabs", () => {
    expect(
      redactSecrets("\u001b]0;title\u0007a\u001b[1;31mb\u0000\u202Ec\r\n\td\u0085\uFEFF"),
    ).toBe("abc\n\td\n");
  });

  it("cuts to the length asked for, between characters", () => {
    expect(redactSecrets("abcdef", { maxLength: 4 })).toBe("abc…");
    expect(redactSecrets("ab\u{1F600}cd", { maxLength: 4 })).toBe("ab…");
  });

  it.each([
    ["password : hunter2", "password : [REDACTED]"],
    ["ghp_abc123def456", "[REDACTED]"],
    ["sk-ant-api03-a1b2c3d4e5f6", "[REDACTED]"],
    ["passphrase=correct-horse", "passphrase=[REDACTED]"],
    ["registry.npmrc npm_A1b2C3d4E5f6G7h8", "registry.npmrc [REDACTED]"],
  ])("hides in %j what one package hid and another did not", (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  const word = fc.stringMatching(/^[A-Za-z0-9!#%+*^~/_-]{8,30}$/).filter((text) => /\d/.test(text));
  const around = fc
    .string({ maxLength: 60, unit: "grapheme" })
    .filter((text) => !/["'`\\]/.test(text));
  const shapes: readonly ((secret: string) => string)[] = [
    (secret) => `password=${secret}`,
    (secret) => `"client_secret":"${secret}"`,
    (secret) => `API_TOKEN: ${secret}`,
    (secret) => `mysql://root:${secret.replaceAll("/", "")}@db/x`,
    (secret) => `Authorization: Bearer ${secret}`,
    (secret) => `--api-key ${secret.replace(/^-+/, "")}`,
    (secret) => JSON.stringify({ log: JSON.stringify({ password: secret }) }),
  ];

  it("never shows a secret, whatever stands around it", () => {
    fc.assert(
      fc.property(word, around, around, fc.nat(shapes.length - 1), (secret, before, after, at) => {
        const shape = shapes[at];
        const shown = redactSecrets(`${before} ${shape?.(secret) ?? ""} ${after}`);
        return !shown.includes(secret) || before.includes(secret) || after.includes(secret);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps JSON readable as JSON", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("password", "a", "token", "url"),
          fc.oneof(word, fc.string(), fc.integer()),
        ),
        (value) => {
          const shown = redactSecrets(JSON.stringify(value), { maxLength: 100_000 });
          expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(value));
        },
      ),
    );
  });

  it("changes nothing more the second time where a hidden value makes its neighbour look like one", () => {
    const once = redactSecrets("password :password:my pwd is ");
    expect(redactSecrets(once)).toBe(once);
  });

  it("changes nothing more the second time, and holds its length, for any text", () => {
    const pieces = fc.constantFrom(
      "password",
      "=",
      ":",
      '"',
      "'",
      "\\",
      "token",
      "eyJ",
      "@",
      "://",
      "Bearer ",
      "-----BEGIN A-----",
      "[REDACTED]",
      " ",
      "\n",
      "{",
      "}",
      ",",
      "&",
      "x1",
      "--secret ",
      "my pwd is ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(pieces).map((list) => list.join("")),
        ),
        (text) => {
          const once = redactSecrets(text, { maxLength: 2_000 });
          expect(redactSecrets(once)).toBe(once);
          expect(once.length).toBeLessThanOrEqual(2_000);
          expect(sanitizeText(once)).toBe(once);
        },
      ),
      { numRuns: roundsOf(3_000) },
    );
  });

  it.each([
    "a",
    "password",
    "password=",
    '"',
    "\\",
    "--",
    "x:",
    "a@",
    "://",
    "a:x@",
    "<password>",
    "<",
    "-u a:",
    "cookie:",
    "&sig=a",
    '"token":[',
    "eyJ",
    "-----BEGIN A-----",
    "Bearer ",
    "name: a",
    "=a,",
    " ",
    "A1b2C3d4",
    "name",
    "password is ",
    "pwd ",
  ])("takes time in line with the length of %j repeated", (piece) => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const start = process.cpuUsage();
    redactSecrets(text);

    // A quadratic pattern would take minutes here.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
  });
});
