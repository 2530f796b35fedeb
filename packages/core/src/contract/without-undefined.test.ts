import { describe, expect, expectTypeOf, it } from "vitest";
import { withoutUndefined } from "./unknown-value.js";

describe("withoutUndefined", () => {
  it("leaves out what is undefined, and keeps every other value", () => {
    const fields = { id: "a", name: undefined, count: 0, label: "", on: false, none: null };
    const kept = withoutUndefined(fields);
    expect(Object.keys(kept)).toEqual(["id", "count", "label", "on", "none"]);
  });

  it("keeps the defaults that undefined options would overwrite", () => {
    const options: { readonly limit?: number | undefined; readonly id: string } = {
      id: "a",
      limit: undefined,
    };
    const settings = { limit: 5, ...withoutUndefined(options) };
    expect(settings).toEqual({ id: "a", limit: 5 });
    expectTypeOf(settings.limit).toEqualTypeOf<number>();
  });
});
