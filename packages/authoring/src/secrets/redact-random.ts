import { redacted } from "./secret-names.js";

const minLength = 40;
const long = /[A-Za-z0-9+/_-]{40,}={0,2}/y;
/** Whether a character, by its code, belongs to a run of letters, digits and `+/_-=`. */
const isRunCode = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** Long public values: digests and public keys. */
const digestMark = /sha\d{3}:$/i;
/** `sha512-` of a digest, and the beginning of an SSH public key: the length of its type, in base64. */
const publicStart = /^(?:sha\d{3}-|AAAA[BCE][23])/;
const publicBlock =
  /(-----BEGIN [A-Z0-9 ]{1,40}-----[A-Za-z0-9+/=\s]{0,100000}-----END [A-Z0-9 ]{1,40}-----)/;

/** Hides long text of mixed case with digits, which is a key. Digests, public keys and certificates stay. */
export function redactRandom(text: string): string {
  if (!text.includes("-----BEGIN ")) return redactRuns(text);
  return text
    .split(publicBlock)
    .map((part, at) => (at % 2 === 1 ? part : redactRuns(part)))
    .join("");
}

function redactRuns(text: string): string {
  let clean = "";
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isRunCode[text.charCodeAt(at)] === 1) continue;
    if (at - start >= minLength) {
      long.lastIndex = start;
      const [value] = long.exec(text) ?? [];
      const shown = value === undefined ? undefined : redactRun(value, text, start);
      if (value !== undefined && shown !== value) {
        clean += text.slice(done, start) + shown;
        done = start + value.length;
      }
    }
    start = at + 1;
  }
  return clean + text.slice(done);
}

function redactRun(value: string, text: string, at: number): string {
  const isDigest = digestMark.test(text.slice(Math.max(0, at - 7), at));
  return isDigest || publicStart.test(value) ? value : withoutKeys(value);
}

/**
 * A key in base64 may hold slashes: text with words between slashes is a path, whose parts are checked one by one.
 */
function withoutKeys(value: string): string {
  const parts = value.split("/");
  const isPath = parts.filter((part) => /^[a-z][a-z-]{3,}$/.test(part)).length >= 2;
  if (!isPath) return looksRandom(value) ? redacted : value;
  const shown = parts.map((part) => (part.length >= 20 && looksRandom(part) ? redacted : part));
  return shown.join("/");
}

/** Long text of mixed case with digits is a key; names, digests and ids are not. */
function looksRandom(value: string): boolean {
  const upper = value.match(/[A-Z]/g)?.length ?? 0;
  const lower = value.match(/[a-z]/g)?.length ?? 0;
  const digits = value.match(/\d/g)?.length ?? 0;
  return upper >= 6 && lower >= 6 && digits >= 1;
}
