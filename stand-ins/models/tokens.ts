/**
 * The sandbox's tokenizer. A token is up to four ASCII letters or digits, or any one other character, each with the
 * white space before it; white space at the end is one token. Simple on purpose: anybody can recount an answer.
 */
const PIECE = /\s*(?:[A-Za-z0-9]{1,4}|[^\sA-Za-z0-9])|\s+/gu

/** Every request starts with 3 tokens, every message adds 4. */
export const REQUEST_TOKENS = 3
export const MESSAGE_TOKENS = 4
/** One image, whatever its size; a document is counted per block. */
export const MEDIA_TOKENS = { openaiLow: 85, openai: 765, anthropic: 1568, gemini: 258, document: 500 } as const

export function pieces(text: string): string[] {
  return text.match(PIECE) ?? []
}

export function countTokens(text: string): number {
  let count = 0
  for (const _ of text.matchAll(PIECE)) count++
  return count
}
