/** Splits a token of a tokenizer. Invisible; `sanitizeText` removes it. */
const breaker = "\u2060";

/**
 * How a token of a chat template begins: `<|im_start|>`, `<｜User｜>`, `[|user|]`, `<s>`, `</s>`, `<start_of_turn>`,
 * `<<SYS>>`, `<0x0A>`, `<seed:bos>`, `[INST]`, `[/INST]`, `[gMASK]`. A tag with attributes does not count.
 */
const templateToken =
  /<(?=[|｜][^\n<>]{1,80}[|｜]>|\/?[A-Za-z0-9][\w:.-]{0,80}>)|\[(?=\|[^\n[\]]{1,80}\|\]|\/?[a-z]?[A-Z][A-Z0-9_]{0,80}\])/g;

/**
 * Neutralizes tokens of chat templates in untrusted text, so that a tokenizer finds neither the end of a turn nor a
 * new role: inserts an invisible word joiner after the bracket of each. Readers see the same text. Idempotent, and
 * linear in the length of the text.
 *
 * @beta
 */
export function neutralizeTemplateTokens(text: string): string {
  return text.replace(templateToken, `$&${breaker}`);
}

/** Reverts {@link neutralizeTemplateTokens} in a model's reply, which may quote such texts. */
export function restoreTemplateTokens(reply: string): string {
  return reply.replaceAll(breaker, "");
}
