import { optionField } from "@constellation/authoring";
import { z } from "zod";

/** Options of {@link createPrometheusReader}. */
export interface PrometheusReaderOptions {
  /** Root of the server, above `/api/v1`: `http://prometheus:9090`. No user and no password in it. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly bearerToken?: string | undefined;
  /** File with that token, read anew for each request, since platforms rotate it. At most 64 KiB. */
  readonly bearerTokenFile?: string | undefined;
  /** Further headers, such as the tenant's of Mimir. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Maximum size of one answer, in bytes: 1,024 or more.
   *
   * @default 8_388_608
   */
  readonly maxResponseBytes?: number | undefined;
}

/** The defaults named in {@link PrometheusReaderOptions}. */
export const prometheusReaderDefaults = { maxResponseBytes: 8 * 1024 * 1024 } as const;

/** The fields of {@link PrometheusReaderOptions}. */
export const prometheusFields = {
  url: optionField.httpUrl(),
  bearerToken: optionField.text("a token").optional(),
  bearerTokenFile: optionField.path("the path of a file with a token").optional(),
  headers: z
    .record(z.string(), z.string("expected text"), "expected an object of texts")
    .optional(),
  maxResponseBytes: optionField.integer(1_024).optional(),
};

/** Checks {@link PrometheusReaderOptions}. */
export const prometheusReaderSchema: z.ZodType<PrometheusReaderOptions> =
  z.strictObject(prometheusFields);
