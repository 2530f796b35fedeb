import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What these tests read of an entry in `package-lock.json`. */
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  /** True for what only this repository needs. */
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
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

  it("installs for users of the oldest Node.js we support without a warning", () => {
    // light-my-request 6.6.0, named by packages/server, keeps cookie 2 out, which wants Node.js 22.
    const tooNew = Object.entries(packages)
      .filter(([, { dev, engines }]) => dev !== true && /^>=? ?2[2-9]/.test(engines?.node ?? ""))
      .map(([path]) => path);

    expect(tooNew).toEqual([]);
  });

  it("holds one copy of the tracing API, since a second one loses spans in silence", () => {
    const copies = Object.keys(packages).filter((path) =>
      path.endsWith("node_modules/@opentelemetry/api"),
    );

    expect(copies).toEqual(["node_modules/@opentelemetry/api"]);
  });
});
