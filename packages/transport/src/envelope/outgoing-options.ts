import { optionField } from "@constellation/authoring";
import { z } from "zod";

/**
 * What a call sends to another mesh.
 *
 * @beta
 */
export interface OutgoingCallOptions {
  /**
   * Sends the user of the query, and the thread it is asked in, to another mesh, which accepts them only where it
   * trusts this one. Never sent to a peer that is not a mesh.
   *
   * @default false
   */
  readonly sendUser?: boolean | undefined;
  /**
   * Metadata of the query that another mesh gets: all of it, none, or these keys. Never sent to a peer
   * that is not a mesh.
   *
   * @default "all"
   */
  readonly forwardMetadata?: "all" | "none" | readonly string[] | undefined;
  /**
   * OpenTelemetry baggage that another mesh gets: all of it, none, or these names. It needs a tracing SDK
   * on both sides. Never sent to a peer that is not a mesh.
   *
   * @default "none"
   */
  readonly forwardBaggage?: "all" | "none" | readonly string[] | undefined;
}

const choice = (items: string) =>
  z.union(
    [z.enum(["all", "none"]), z.array(z.string()).readonly()],
    `expected "all", "none" or an array of ${items}`,
  );

/**
 * The fields of {@link OutgoingCallOptions}, for the options of a librarian.
 *
 * @beta
 */
export const outgoingCallFields = {
  sendUser: optionField.flag().optional(),
  forwardMetadata: choice("keys").optional(),
  forwardBaggage: choice("names").optional(),
} as const satisfies Record<keyof OutgoingCallOptions, z.ZodType>;
