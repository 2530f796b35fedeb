import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listReleaseLines, writeVersionPages } from "./versions.js";

it("has a site for the newest patch of each minor version, the newest first", () => {
  const versions = ["0.2.0", "0.10.1", "0.2.3", "0.10.0", "1.0.0-beta.1"];
  const tags = [
    ...versions.map((each) => `@constellation/core@${each}`),
    "@constellation/cli@9.0.0",
    "",
  ];

  expect(listReleaseLines(tags)).toEqual([
    { name: "0.10", tag: "@constellation/core@0.10.1" },
    { name: "0.2", tag: "@constellation/core@0.2.3" },
  ]);
});

it("leads to the newest release, and before there is one to what is not released yet", () => {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const pageOf = (name: string) => readFileSync(join(folder, name), "utf8");
  try {
    for (const name of ["next", ".git"]) mkdirSync(join(folder, name));
    writeVersionPages(folder);
    expect(pageOf("index.html")).toContain("url=next/");
    for (const name of ["0.2", "0.10"]) mkdirSync(join(folder, name));
    writeVersionPages(folder);
    expect(pageOf("index.html")).toContain("url=0.10/");
    expect([...pageOf("versions.html").matchAll(/href="([^"]+)"/g)].map(([, at]) => at)).toEqual([
      "0.10/",
      "0.2/",
      "next/",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
