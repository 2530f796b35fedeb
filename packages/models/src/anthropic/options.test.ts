import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnthropicClient } from "./client.js";

describe("createAnthropicClient, its options", () => {
  beforeEach(() => {
    vi.stubEnv("ANTHROPIC_API_KEY", "");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("refuses to be without a key", () => {
    expect(() => createAnthropicClient()).toThrow("ANTHROPIC_API_KEY is not set");
  });

  it("takes the key from the environment", () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "sk-from-env");

    expect(() => createAnthropicClient()).not.toThrow();
  });

  it.each([
    [{ apiKey: "sk-secret\n" }, RangeError, "apiKey"],
    [{ apiKey: 5 }, TypeError, "apiKey"],
    [{ apiKey: "k", model: "" }, RangeError, "model"],
    [{ apiKey: "k", baseURL: "localhost" }, RangeError, "baseURL"],
    [{ apiKey: "k", baseURL: "ftp://host" }, RangeError, "baseURL"],
    [{ apiKey: "k", baseURL: "http://me:secret@host" }, RangeError, "baseURL"],
    [{ apiKey: "k", maxTokens: 0 }, RangeError, "maxTokens"],
    [{ apiKey: "k", timeoutMs: 0 }, RangeError, "timeoutMs"],
    [{ apiKey: "k", timeoutMs: Number.NaN }, RangeError, "timeoutMs"],
    [{ apiKey: "k", maxRetries: -1 }, RangeError, "maxRetries"],
    [{ apiKey: "k", cache: "2h" }, RangeError, "cache"],
    [{ apiKey: "k", effort: "some" }, RangeError, "effort"],
    [{ apiKey: "k", conversationId: "id" }, TypeError, "conversationId"],
    [{ apiKey: "k", prices: { m: { input: 1 } } }, TypeError, "prices.m.output"],
    [{ apiKey: "k", prices: { m: { input: 1, output: -2 } } }, RangeError, "prices.m.output"],
    [{ apiKey: "k", prices: { m: { input: 1, output: 2, more: 3 } } }, TypeError, "more"],
    [{ apiKey: "k", contextTokens: 10 }, RangeError, "contextTokens"],
    [{ apiKey: "k", fallbackModels: "small" }, TypeError, "fallbackModels"],
    [{ apiKey: "k", smallModel: 5 }, TypeError, "smallModel"],
    [{ apiKey: "k", temperature: 1 }, TypeError, "temperature"],
    [null, TypeError, "options"],
  ])("refuses %o at once, naming the option and no secret", (options, kind, key) => {
    const make = () => createAnthropicClient(options as never); // wrong on purpose

    expect(make).toThrow(kind);
    expect(make).toThrow(key);
    expect(make).not.toThrow("secret");
  });

  it("shows no key", () => {
    const client = createAnthropicClient({ apiKey: "sk-0123456789" });

    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(
      "0123",
    );
  });
});
