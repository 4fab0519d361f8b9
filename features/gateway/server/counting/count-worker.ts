import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { yieldCore } from '../hot/worker/yield-core.ts'

/** Merging a word without spaces takes time quadratic in its length, so long words are split. Each cut adds at most one token. */
const PIECE_CHARS = 1_024
/** Marks such as <|endoftext|> are plain text to a vendor, and here. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

export interface CountJob {
  readonly id: number
  readonly text: Uint8Array<ArrayBuffer>
}
export interface CountResult {
  readonly id: number
  readonly tokens: number
}

export function countTextTokens(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes)
  let tokens = 0
  for (let at = 0; at < text.length; at += PIECE_CHARS) tokens += countTokens(text.slice(at, at + PIECE_CHARS), AS_TEXT)
  return tokens
}

if (parentPort) yieldCore(10)
parentPort?.on('message', ({ id, text }: CountJob) => {
  parentPort!.postMessage({ id, tokens: countTextTokens(text) } satisfies CountResult)
})
