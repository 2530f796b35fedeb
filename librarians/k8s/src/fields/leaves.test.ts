import { describe, expect, it } from "vitest";
import { redactedItems } from "./leaves.js";

describe("redactedItems", () => {
  it("hides what a program and a flag before it make secret", () => {
    expect(redactedItems(["mysql", "-u", "jo", "-pHeronFog19"])).toEqual([
      "mysql",
      "-u",
      "jo",
      "-p[REDACTED]",
    ]);
    expect(redactedItems(["-v3", "-A", "AuthFog-9", "10.1.1.1"], "snmpget")).toEqual([
      "-v3",
      "-A",
      "[REDACTED]",
      "10.1.1.1",
    ]);
  });

  it("keeps items that hold white space, and how many there are", () => {
    expect(redactedItems(["sh", "-c", "echo a\tb && sleep 1\necho c"])).toEqual([
      "sh",
      "-c",
      "echo a b && sleep 1\necho c",
    ]);
    expect(redactedItems([])).toEqual([]);
  });

  it("looks at each item twice, however long the list is", () => {
    let read = 0;
    const items = Array.from({ length: 2_000 }, (_, index) => ({
      toString() {
        read++;
        return `--flag-${index}`;
      },
    }));

    expect(redactedItems(items)).toHaveLength(2_000);
    expect(read).toBe(2_000);
  });
});
