import { describe, expect, it } from "vitest";
import { redactSecrets } from "../redact-secrets.js";

describe("redactSecrets in sentences", () => {
  it.each([
    ["password hunter2 rejected", "password [REDACTED] rejected"],
    ["my passwd is sw0rdfish", "my passwd is [REDACTED]"],
    ["my password was 'swordfish'.", "my password was '[REDACTED]'."],
    ["pwd sword!fish, user bob", "pwd [REDACTED], user bob"],
    ["login with password Sw0rdfish failed", "login with password [REDACTED] failed"],
    ["password: swordfish", "password: [REDACTED]"],
    ['the password "hunter2" was refused', 'the password "[REDACTED]" was refused'],
    ["Password is now hunter2!", "Password is now [REDACTED]!"],
    ["the api key is 7f3kq99x", "the api key is [REDACTED]"],
    ["the token is abc123def", "the token is [REDACTED]"],
  ])("hides the value in %j", (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
    expect(redactSecrets(expected)).toBe(expected);
  });

  it.each([
    "password rejected",
    "login with password authentication failed",
    "my passphrase is lost",
    "password is wrong",
    "the password was not accepted",
    "password authentication failed for user bob",
    "using password authentication",
    "password must have 12 characters",
    "Password expires in 30 days",
    "pwd /var/lib",
    "run pwd && ls",
    "password for user2 rejected",
    "passwd: no entry",
    "forgot password?",
    "the token is missing",
    "the secret is shop/db-credentials-2",
    "token is expired since 2024-01-01",
    "Access denied for user root (using password: YES)",
    "password is required",
    "change your password on the page",
    "with a password of 12 characters",
    "pod external-secrets-5d9 was killed",
  ])("leaves %j as it is", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});
