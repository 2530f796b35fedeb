/** The text of a file, or the reason why it is not text. */
export type Decoded =
  | { readonly text: string; readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "latin1" }
  | { readonly problem: "binary" };

/** Decodes bytes by their byte order mark, else as UTF-8, else as Latin-1.
 *
 * @returns The text without its mark, or `binary` when it holds a NUL character.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = detectByteOrderMark(bytes);
  if (encoding !== undefined) return textOr(new TextDecoder(encoding).decode(bytes), encoding);
  if (bytes.includes(0)) return { problem: "binary" };
  try {
    return textOr(new TextDecoder("utf-8", { fatal: true }).decode(bytes), "utf-8");
  } catch {
    return textOr(new TextDecoder("latin1").decode(bytes), "latin1");
  }
}

function detectByteOrderMark([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

function textOr(text: string, encoding: "utf-8" | "utf-16le" | "utf-16be" | "latin1"): Decoded {
  return text.includes("\0") ? { problem: "binary" } : { text, encoding };
}
