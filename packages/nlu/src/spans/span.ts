import type { TextRange } from "../text/tokens.js";

interface Found extends TextRange {
  readonly text: string;
}

/** Something that a parser recognises, and that is never taken for words. */
export type Span =
  | (Found & { readonly kind: "url"; readonly host: string; readonly path: string })
  | (Found & { readonly kind: "host" })
  | (Found & { readonly kind: "path" })
  /** A command or code in backticks, or behind a prompt. */
  | (Found & { readonly kind: "code" })
  /** Two words or more in quotation marks. */
  | (Found & { readonly kind: "quote" })
  /** `ENOENT`, `HTTP 503`, `exit code 137`, `ORA-00942`. */
  | (Found & { readonly kind: "error-code" })
  /** A UUID, a hash, `#1001`. */
  | (Found & { readonly kind: "id" })
  /** A moment or a stretch of time that a calendar or clock gives. */
  | (Found & { readonly kind: "time" })
  /** A length of time, in milliseconds. */
  | (Found & { readonly kind: "duration"; readonly ms: number })
  /** A number; `unit` is as written, and empty where there is none. */
  | (Found & { readonly kind: "number"; readonly value: number; readonly unit: string });

export type SpanKind = Span["kind"];
