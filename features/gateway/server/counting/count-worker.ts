import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { yieldCore } from '../hot/worker/yield-core.ts'

/** A word without spaces costs the square of its length to merge: in pieces none is long. Each cut adds a token at most. */
const PIECE_CHARS = 1_024
/** Marks such as <|endoftext|> are plain text to a vendor, and here. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

export interface Job {
  readonly id: number
  readonly text: Uint8Array<ArrayBuffer>
}
export interface Done {
  readonly id: number
  readonly tokens: number
}

export function countText(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes)
  let tokens = 0
  for (let at = 0; at < text.length; at += PIECE_CHARS) tokens += countTokens(text.slice(at, at + PIECE_CHARS), AS_TEXT)
  return tokens
}

if (parentPort) yieldCore(10)
parentPort?.on('message', ({ id, text }: Job) => {
  parentPort!.postMessage({ id, tokens: countText(text) } satisfies Done)
})
