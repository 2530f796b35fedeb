import { redacted } from "./secret-names.js";

/** Values that are secret by their form, wherever they are, and what replaces them. Each takes linear time. */
export const secretForms: readonly (readonly [RegExp, string])[] = [
  // A block that was cut off hides everything after its first line.
  [
    /(-----BEGIN [A-Z0-9 ]{1,40}-----)[\s\S]*?(-----END [A-Z0-9 ]{1,40}-----|(?![\s\S]))/g,
    `$1${redacted}$2`,
  ],
  // A JWT, or JSON in base64 as in the credentials of an image registry.
  [/\beyJ[\w+/-]{8}[\w+/-]*={0,2}(?:\.[\w-]+){0,4}/g, redacted],
  [/\$2[abxy]\$\d\d\$[\w./]{53}/g, redacted],
  [/(hooks\.slack\.com\/services\/)[\w/]+/g, `$1${redacted}`],
  [/([?&](?:sig|signature|x-amz-signature)=)[\w%+/=-]+/gi, `$1${redacted}`],
  [/((?:^|\s)-u\s{1,3})[^\s:"']{1,128}:[^\s"']+/gm, `$1${redacted}`],
  [/(\bidentified by\s{1,3}["'])[^"'\n]+/gi, `$1${redacted}`],
  [/(\b(?:set-)?cookie:\s{0,3})[^\r\n"']+/gi, `$1${redacted}`],
  [/\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}\b/g, redacted],
  // Tokens by their prefix; short ones only where a digit shows that they are not a name.
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|dckr_pat_|dop_v1_|pypi-|shp(?:at|ca|pa|ss)_|whsec_|hvs\.|hf_|ya29\.|[sr]k[-_])(?:[\w-]{16,}|(?=[\w-]{0,15}\d)[\w-]{10,})/g,
    redacted,
  ],
  [/\bxox[abeoprs]-[\w-]{10,}/g, redacted],
  [/\bAIza[\w-]{30,}/g, redacted],
  [/\bSG\.[\w-]{16,}\.[\w-]{16,}/g, redacted],
  // User information of a URL, and of a data source name of Go.
  [/([a-z0-9+.-]:\/\/)[^\s/@"'<>[]+(?:@[^\s/@"'<>]*)*@(?=[\w[(])/gi, `$1${redacted}@`],
  [/(^|[\s"'=,([])[\w.-]{1,64}:[^\s@/"'[]{1,128}@(?=[\w-]{1,64}\()/gm, `$1${redacted}@`],
];
