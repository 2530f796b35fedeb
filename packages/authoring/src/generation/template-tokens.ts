/** Breaks what a tokenizer would take for one token. Shows nothing, and `sanitizeText` takes it out again. */
const breaker = "\u2060";

/**
 * How a token of a chat template begins: `<|im_start|>`, `<｜User｜>`, `[|user|]`, `<s>`, `</s>`, `<start_of_turn>`,
 * `<<SYS>>`, `<0x0A>`, `<seed:bos>`, `[INST]`, `[/INST]`, `[gMASK]`. A tag with attributes is none.
 */
const templateToken =
  /<(?=[|｜][^\n<>]{1,80}[|｜]>|\/?[A-Za-z0-9][\w:.-]{0,80}>)|\[(?=\|[^\n[\]]{1,80}\|\]|\/?[a-z]?[A-Z][A-Z0-9_]{0,80}\])/g;

/**
 * Text of others in which a model's tokenizer finds no token of its chat template, and so no end of a turn and no
 * new role: an invisible word joiner follows the bracket of each. All else stays as it is, and readers see
 * the same text. Done twice, it gives the same. In time proportional to the text.
 *
 * @beta
 */
export function neutralizeTemplateTokens(text: string): string {
  return text.replace(templateToken, `$&${breaker}`);
}

/** A model's reply with what {@link neutralizeTemplateTokens} did to the texts it quotes undone. */
export function restoreTemplateTokens(reply: string): string {
  return reply.replaceAll(breaker, "");
}
