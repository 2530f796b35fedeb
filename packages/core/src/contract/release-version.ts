/**
 * Version of every package: they are released together, and `npm run version-packages` sets it here.
 *
 * @beta
 */
export const releaseVersion: string = "0.1.0";
