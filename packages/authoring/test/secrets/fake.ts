/** Characters that fake secrets are made of. */
const alphabets = {
  digits: "0123456789",
  hex: "0123456789abcdef",
  lower: "abcdefghijklmnopqrstuvwxyz0123456789",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  base32: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  base62: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  base64url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  crypt: "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  password: "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!%*+.?^~",
} as const;

/**
 * A string of random characters, made at run time: no secret stands in the repository, so
 * scanners of secrets find none. The same seed gives the same string.
 */
export function fake(alphabet: keyof typeof alphabets, length: number, seed = 1): string {
  const characters = alphabets[alphabet];
  let state = seed * 2654435761 + length * 40503 + characters.length;
  let text = "";
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += characters.charAt(Math.floor((state / 2 ** 32) * characters.length));
  }
  return text;
}

/** Base64 of a text, as `data:` of a Secret holds it. */
export function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}
