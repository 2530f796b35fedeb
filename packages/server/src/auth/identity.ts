import type { User } from "@constellation/core";

/** Result of checking a request's `authorization`. */
export type Identity =
  | {
      readonly status: "known";
      readonly user: User;
      /** Whether the metadata of its calls counts as observed. */
      readonly observed: boolean;
    }
  /** No token, or one that is not valid. */
  | { readonly status: "unknown"; readonly problem: "missing" | "invalid" }
  /** The identity provider cannot be reached now. */
  | { readonly status: "unavailable" };
