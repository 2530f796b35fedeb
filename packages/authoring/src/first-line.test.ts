import { expect, it } from "vitest";
import { firstLine } from "./first-line.js";

it("gives the first line that is not blank, without its marks", () => {
  expect(firstLine("\n\n**shop/api: OOMKilled.** 2 findings.\n\n1. more")).toBe(
    "shop/api: OOMKilled. 2 findings.",
  );
  expect(firstLine("## A heading\ntext")).toBe("A heading");
  expect(firstLine("- `kubectl get pods`")).toBe("`kubectl get pods`");
});

it("is empty for a blank text, and cut where the line is long", () => {
  expect(firstLine(" \n ")).toBe("");
  expect(firstLine("x".repeat(1_000))).toHaveLength(300);
});
