import { expect, it } from "vitest";
import { quote } from "./quote.js";

it("keeps the end of a message that is too long, which names the cause", () => {
  const text = `Failed to pull image: ${"registry/layer/".repeat(60)}: 429 Too Many Requests`;
  const quoted = quote(text);

  expect(quoted.length).toBeLessThanOrEqual(401);
  expect(quoted).toMatch(/^Failed to pull image: .*…/);
  expect(quoted).toMatch(/429 Too Many Requests$/);
  expect(quote(text, 40)).toBe(`${text.slice(0, 40)}…`);
  expect(quote("short")).toBe("short");
});
