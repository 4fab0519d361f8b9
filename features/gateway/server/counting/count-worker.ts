import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { yieldCore } from '../hot/worker/yield-core.ts'

/** A word without spaces costs the square of its length to merge: in pieces none is long. Each cut adds a token at most. */
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
