import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { prepareTypescript } from "./prepare-typescript.js";

const { typescript } = process.features as { readonly typescript?: string | false };

it.skipIf(typescript !== undefined && typescript !== false)(
  "lets each of several librarians wait until tsx is there",
  async () => {
    const folder = folderWith({
      "node_modules/tsx/package.json":
        '{ "type": "module", "exports": { "./esm/api": "./api.js" } }',
      "node_modules/tsx/api.js": `await new Promise(setImmediate);
export const register = () => globalThis.registered.push("tsx");`,
    });
    const registered: string[] = [];
    Object.assign(globalThis, { registered });

    const seen = await Promise.all(
      ["a.ts", "b.ts", "c.js"].map(async (name) => {
        await prepareTypescript(join(folder, name), folder);
        return [name, ...registered];
      }),
    );

    expect(seen).toEqual([["a.ts", "tsx"], ["b.ts", "tsx"], ["c.js"]]);
  },
);
