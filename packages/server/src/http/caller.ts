import type { IncomingMessage } from "node:http";
import type { User } from "@constellation/core";

/** Information about a request that an application passes with it. */
export interface CallerInfo {
  /** The user whom the application has authenticated: no token is read then. */
  readonly user?: User | undefined;
  /**
   * Whether the metadata of its calls counts as observed, not as a claim of the caller.
   *
   * @default false
   */
  readonly observed?: boolean | undefined;
  /** Address of the client, by which requests without a user are counted. */
  readonly address?: string | undefined;
}

/** A caller, with the origin that the application received the request under. */
export interface Caller extends CallerInfo {
  readonly origin?: string | undefined;
}

/** Finds what the application passed with a request. */
export type CallerOf = (request: IncomingMessage) => Caller | undefined;
