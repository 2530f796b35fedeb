import { inspect } from "node:util";
import { contextFor, expect, withLibrarian } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";

/** A unique text, so that the suite finds it wherever it is repeated. */
const secret = "hunter2c0ffee";
/** Put together here, so that no scanner takes this file for a leak. */
const token = ["ghp", "Zx81Qm04Wk27Lr59Tb36Yc18Nd90Vp42Sa75"].join("_");
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJodW50ZXIifQ", "dozjgNryP4J3jVmNHl0w5N"].join(".");

/** Forms of secrets in logs, each with the part that must not be repeated. */
const written: readonly (readonly [text: string, secret: string])[] = [
  [`error: password=${secret} rejected`, secret],
  [`error: DB_PASSWORD: ${secret}`, secret],
  [`error: password ${secret} rejected`, secret],
  [`error: my passwd is ${secret}`, secret],
  [`error: {"apiKey":"${secret}"} failed`, secret],
  [`error: postgres://app:${secret}@db:5432/shop failed`, secret],
  [`error: Authorization: Bearer ${secret}.x1`, secret],
  [`error: passphrase = ${secret}`, secret],
  [`error: pass\u200bword=${secret}`, secret],
  [`error: token ${token} failed`, token],
  [`error: session ${jwt} failed`, jwt],
];

/** Checks that a librarian that quotes logs or alerts does not repeat secrets. */
export const secretChecks: readonly LibrarianCheck[] = [
  {
    name: "secrets",
    part: "secrets",
    needs: "quoting",
    title: "CORE-057 repeats no secret that its data holds, however it is written",
    async run(options) {
      for (const [text, hidden] of written) {
        const make = () => (options.quoting ?? options.create)(text);
        await withLibrarian(options, make, async (ask) => {
          const response = await ask(options.query, contextFor(options));
          const shown = inspect(response, {
            depth: 20,
            maxStringLength: null,
            maxArrayLength: null,
          });
          expect(!shown.includes(hidden), `its response repeats the secret of ${inspect(text)}`, {
            actual: response,
          });
        });
      }
    },
  },
];
