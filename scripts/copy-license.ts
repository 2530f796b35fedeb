/** `prepack` of each package: npm publishes only what lies in the folder of the package. */
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../LICENSE", import.meta.url), "LICENSE");
