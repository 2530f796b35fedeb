/** What a run, or a part of it, may spend on models. 0 means nothing may be spent; absent: no limit. */
export interface Budget {
  /** Tokens, input and output together. 0 or more. */
  readonly tokens?: number | undefined;
  /** US dollars. 0 or more. */
  readonly costUsd?: number | undefined;
}
