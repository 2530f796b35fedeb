import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { defaultJournal, usableJournal } from "./create-journal.js";

it("makes the folder of a journal so that git leaves it out", () => {
  const folder = folderWith({});

  expect(usableJournal(defaultJournal, folder)).toBe(defaultJournal);

  expect(readFileSync(join(folder, ".constellation/.gitignore"), "utf8")).toBe("*\n");
  expect(usableJournal(defaultJournal, folder)).toBe(defaultJournal);
});

it("adds nothing to a folder that is there", () => {
  const folder = folderWith({});
  mkdirSync(join(folder, "data"));

  expect(usableJournal("data/journal.db", folder)).toBe("data/journal.db");

  expect(readdirSync(join(folder, "data"))).toEqual([]);
});
