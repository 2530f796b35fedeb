import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What these tests read of an entry in `package-lock.json`. */
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
}

const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(
  readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"),
).packages;

describe("package-lock.json", () => {
  it("names no registry host, so that it installs from any registry", () => {
    const hosts = Object.values(packages).flatMap(({ resolved }) =>
      resolved?.includes("://") === true ? [resolved] : [],
    );

    expect(hosts).toEqual([]);
  });

  it("holds one copy of the tracing API, since a second one loses spans in silence", () => {
    const copies = Object.keys(packages).filter((path) =>
      path.endsWith("node_modules/@opentelemetry/api"),
    );

    expect(copies).toEqual(["node_modules/@opentelemetry/api"]);
  });
});
