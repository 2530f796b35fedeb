import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeValue } from "./describe-value.js";
import { librarianOptionFields } from "./librarian-options.js";
import { optionField } from "./option-field.js";
import { parseOptions } from "./parse-options.js";

interface Port {
  list(): void;
  read(): void;
}

const schema = z
  .strictObject({
    ...librarianOptionFields,
    root: optionField.path("the path of a folder").optional(),
    port: optionField.port<Port>("list", "read").optional(),
    now: optionField.callback<() => number>().optional(),
    size: optionField.integer(1, 10).optional(),
    mode: optionField.oneOf(["a", "b"]).optional(),
    url: optionField.httpUrl().optional(),
    isOn: optionField.flag().optional(),
    secret: z.string("expected text").min(5, "expected 5 characters").optional(),
    limits: z.strictObject({ max: optionField.integer(1) }, "expected limits").optional(),
    words: z.array(z.string()).optional(), // without a message of its own
    either: z
      .union([optionField.text("a name"), optionField.port<Port>("list")], "expected either")
      .optional(),
  })
  .refine(({ root, port }) => root === undefined || port === undefined, {
    path: ["root"],
    error: "expected only one of root and port",
  });

const check = (options: unknown) => () => parseOptions(schema, options, { secrets: ["secret"] });

describe("parseOptions", () => {
  it.each([
    [undefined, "options: expected an object, got undefined."],
    [[], "options: expected an object, got an array of 0."],
    [{ timeoutMs: "10s" }, 'timeoutMs: expected a number from 1 to 2147483647, got "10s".'],
    [{ id: 5 }, 'id: expected 1 to 64 of a-z, 0-9 and "-", got 5.'],
    [{ capabilities: "a" }, 'capabilities: expected an array, got "a".'],
    [{ delegatesTo: [1] }, 'delegatesTo.0: expected 1 to 64 of a-z, 0-9 and "-", got 1.'],
    [{ port: "x" }, 'port: expected an object with list and read, got "x".'],
    [{ now: 1 }, "now: expected a function, got 1."],
    [{ mode: 5 }, "mode: expected one of a, b, got 5."],
    [{ isOn: "yes" }, 'isOn: expected true or false, got "yes".'],
    [{ limits: {} }, "limits.max: expected an integer of 1 or more, got undefined."],
    [{ either: 4 }, "either: expected either, got 4."],
    [{ words: 4 }, "words: expected array, got 4."],
    [{ secret: 4 }, "secret: expected text, got 4."],
    [
      { limits: { mox: 1, max: 1 } },
      'options.limits: unknown key "mox". Did you mean "max"? Valid keys: max.',
    ],
  ])("throws TypeError for the wrong type %j", (options, message) => {
    expect(check(options)).toThrow(new TypeError(message));
  });

  it.each([
    [{ timeoutMs: 0 }, "timeoutMs: expected a number from 1 to 2147483647, got 0."],
    [{ timeoutMs: Number.NaN }, "timeoutMs: expected a number from 1 to 2147483647, got NaN."],
    [{ size: 1.5 }, "size: expected an integer from 1 to 10, got 1.5."],
    [{ id: "Not An Id" }, 'id: expected 1 to 64 of a-z, 0-9 and "-", got "Not An Id".'],
    [{ name: " " }, 'name: expected a name, got "".'],
    [{ mode: "c" }, 'mode: expected one of a, b, got "c".'],
    [{ url: "ftp://h" }, 'url: expected an http or https URL without a password, got "ftp://h".'],
    [{ secret: "hush" }, "secret: expected 5 characters, got text of 4 characters."],
    [{ either: "" }, 'either: expected a name, got "".'],
  ])("throws RangeError for the wrong value %j", (options, message) => {
    expect(check(options)).toThrow(new RangeError(message));
  });

  it("names an unknown key and those there are", () => {
    expect(check({ tiemoutMs: 5 })).toThrow(
      /^options: unknown key "tiemoutMs"\. Did you mean "timeoutMs"\? Valid keys: id, /,
    );
  });

  it("returns what the schema makes of them", () => {
    expect(check({ id: "docs", timeoutMs: 5 })()).toEqual({ id: "docs", timeoutMs: 5 });
  });
});

describe("describeValue", () => {
  it.each([
    ["text", '"text"'],
    ["a\u202eb\nc", '"ab c"'],
    ["x".repeat(500), `"${"x".repeat(40)}…"`],
    ["postgres://bob:hunter2@db/shop", '"postgres://[REDACTED]@db/shop"'],
    [null, "null"],
    [undefined, "undefined"],
    [12n, "a bigint"],
    [[1, 2], "an array of 2"],
    [{}, "an object"],
    [() => 1, "a function"],
    [Symbol("x"), "a symbol"],
  ])("names %o", (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });

  it("shows of a secret only how long it is, and survives a revoked proxy", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    expect(describeValue("hunter2", { isSecret: true })).toBe("text of 7 characters");
    expect(describeValue(proxy)).toBe("an object");
  });
});
