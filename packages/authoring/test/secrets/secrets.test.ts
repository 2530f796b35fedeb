import { redactSecrets } from "@constellation/authoring";
import { describe, expect, it } from "vitest";
import { ordinaryTexts } from "./ordinary-texts.js";
import { secretShapes } from "./secret-shapes.js";

describe("redactSecrets", () => {
  it.each(secretShapes)("hides: $name", ({ secret, text }) => {
    const shown = redactSecrets(text);

    // No part of a long secret is left either.
    const parts = secret.length > 40 ? (secret.match(/.{12,24}/g) ?? []) : [secret];
    for (const part of parts) expect(shown).not.toContain(part);
    expect(redactSecrets(shown)).toBe(shown);
  });

  it.each(secretShapes)("hides in a string of JSON: $name", ({ secret, text }) => {
    const shown = redactSecrets(JSON.stringify({ log: text }));

    expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(() => JSON.parse(shown)).not.toThrow();
  });

  it.each(ordinaryTexts)("leaves %j as it is", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it.each([
    ["-----BEGIN RSA PRIVATE KEY-----\n", "a key that is cut off"],
    ["mysql -p", "a command"],
    ["kind: Secret\ndata:\n a: b\n", "documents of YAML"],
    ['{"kind":"Secret","data":{"a":"', "documents of JSON"],
    ["password: |\n  x\n", "blocks of YAML"],
    ["password:\n", "names without a value"],
    ["$a$b", "hashes"],
    ["machine a login b password ", "netrc"],
    ["a:b@", "user information"],
    ["glpat-", "beginnings of tokens"],
    ["docker login -p ", "logins"],
  ])("takes time in line with the length of %j repeated: %s", (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length)).slice(0, 1_000_000);
    const start = process.cpuUsage();
    redactSecrets(text);

    // A quadratic pattern would take hours here.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(15_000);
  });
});
