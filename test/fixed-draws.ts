import fc from "fast-check";

/**
 * Random tests draw the same values in every run of one commit, so that a failure is of the change that met it.
 * `CONSTELLATION_SEED=random` draws others, any number these again; a failure prints its seed either way.
 */
const { CONSTELLATION_SEED: given = "20261124" } = process.env;
const seed = given === "random" ? Date.now() % 2_147_483_647 : Number(given);
if (!Number.isInteger(seed)) {
  throw new RangeError(
    `CONSTELLATION_SEED: expected an integer or "random", got ${JSON.stringify(given)}`,
  );
}
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
