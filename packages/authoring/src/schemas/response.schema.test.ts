import { validateResponse } from "@constellation/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nearlyResponse } from "../../test/nearly-response.js";
import { roundsOf } from "../../test/rounds.js";
import { responseSchema } from "./response.schema.js";

it("accepts exactly what `validateResponse` accepts", () => {
  fc.assert(
    fc.property(fc.oneof(nearlyResponse, fc.anything()), (value) => {
      expect(responseSchema.safeParse(value).success).toBe(validateResponse(value).valid);
    }),
    { numRuns: roundsOf(4_000) },
  );
});
