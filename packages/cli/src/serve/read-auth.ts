import type { AuthOptions, TokenOptions } from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";

/** Command-line options about tokens. */
interface TokenFlags {
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
}

/**
 * Authentication of a server: `CONSTELLATION_TOKENS`, tokens of an identity provider, or both; `undefined`: none.
 *
 * @throws ConfigurationError for options that need each other.
 */
export function readAuth(flags: TokenFlags, env: CommandIO["env"]): AuthOptions | undefined {
  const { jwksUrl, issuer, audience } = flags;
  const tokens = readTokens(env.CONSTELLATION_TOKENS ?? "");
  if (jwksUrl === undefined) {
    if (issuer !== undefined || audience !== undefined) {
      throw new ConfigurationError("--issuer and --audience need --jwks-url.");
    }
    return tokens.length === 0 ? undefined : { tokens };
  }
  if (issuer === undefined || audience === undefined) {
    throw new ConfigurationError("--jwks-url needs --issuer and --audience too.");
  }
  return {
    jwt: { jwksUrl, issuer, audience },
    ...(tokens.length > 0 && { tokens }),
  };
}

/** `user:token` or a token alone, separated by commas or white space. */
function readTokens(text: string): readonly TokenOptions[] {
  return text
    .split(/[\s,]+/)
    .filter((each) => each !== "")
    .map((each) => {
      const [, id, token] = /^([\w.@-]+):(.+)$/.exec(each) ?? [];
      return id === undefined || token === undefined ? { token: each } : { token, user: { id } };
    });
}
