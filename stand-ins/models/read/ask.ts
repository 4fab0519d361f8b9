import { createHash } from 'node:crypto'
import type { JsonObject } from './json.ts'
import type { Knobs } from './knobs.ts'

/** Wire format of a POST; sockets are in a folder of their own. */
export type Dialect =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-embeddings'
  | 'openai-completions'
  | 'openai-images'
  | 'openai-image-edits'
  | 'openai-speech'
  | 'openai-transcriptions'
  | 'openai-translations'
  | 'openai-moderations'
  | 'anthropic-messages'
  | 'gemini-generate'
  | 'gemini-embed'
  | 'rerank'
/** Whose shapes and headers an answer has. */
export type Surface = 'openai' | 'anthropic' | 'gemini' | 'cohere'

/** One turn of the scripted player (player.ts). */
export interface PlayedTurn {
  readonly calls: readonly { readonly tool: Tool; readonly args: JsonObject }[]
  /** Text of the answer if no tool is called. */
  readonly text: string
}

/** A request as the sandbox understands it, whatever dialect it came in. */
export interface Ask {
  readonly dialect: Dialect
  readonly model: string
  readonly stream: boolean
  /** The whole prompt in order: tools, system, turns. Token counts and prompt caching are read from it. */
  readonly blocks: readonly Block[]
  /** Text of the last user message without markers. */
  readonly question: string
  readonly images: number
  /** Texts of the tool results that end the prompt; empty when it ends with a user message. */
  readonly toolResults: readonly string[]
  readonly tools: readonly Tool[]
  /** Names restrict the choice to these tools and force one. */
  readonly toolChoice: 'auto' | 'none' | 'required' | readonly string[]
  readonly parallelTools: boolean
  readonly maxTokens: number | undefined
  readonly stops: readonly string[]
  readonly answers: number
  readonly json: 'no' | 'any' | JsonObject
  /** Tokens of thought; 0 for none. */
  readonly thinking: number
  /** Next turn of a script in the prompt (player.ts). */
  readonly played?: PlayedTurn | undefined
  readonly knobs: Knobs
}

export interface Block {
  readonly text: string
  readonly tokens: number
  /** Anthropic's cache breakpoint after this block. */
  readonly cache?: '5m' | '1h' | undefined
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
}

/** Tokens by class. `input` includes cached and written ones, `output` includes reasoning. */
export interface Counts {
  readonly input: number
  readonly cached: number
  readonly write5m: number
  readonly write1h: number
  readonly output: number
  readonly reasoning: number
  /** Parts of the input. */
  readonly imageInput?: number
  readonly audioInput?: number
  /** Counted instead of tokens. */
  readonly characters?: number
  readonly seconds?: number
  readonly searches?: number
}

export const NOTHING: Counts = { input: 0, cached: 0, write5m: 0, write1h: 0, output: 0, reasoning: 0 }

/** Same model and prompt, same seed: the answer does not depend on streaming or on caps. */
export function seedOf(ask: Pick<Ask, 'model' | 'blocks'>, variant: number): number {
  const hash = createHash('sha256').update(`${ask.model}\0${variant}`)
  for (const block of ask.blocks) hash.update('\0').update(block.text)
  return hash.digest().readUInt32LE(0)
}

/** An identifier with the vendor's prefix, the same for the same seed text. */
export function idFrom(prefix: string, seed: string, length = 24): string {
  const digest = createHash('sha512').update(seed).digest('base64url').replace(/[-_]/g, 'x')
  return prefix + digest.slice(0, length)
}

const SECRET = 'sandbox thoughts'

/** Signature of a thought, as opaque as a vendor's. */
export function sign(text: string): string {
  return createHash('sha512').update(SECRET).update('\0').update(text).digest('base64')
}

/** A sealed text: what redacted and encrypted thoughts look like. */
export function seal(text: string): string {
  return Buffer.from(`${sign(text)}.${Buffer.from(text).toString('base64')}`).toString('base64')
}

export function sealIsGenuine(sealed: string): boolean {
  const [signature, text] = Buffer.from(sealed, 'base64').toString().split('.')
  return text !== undefined && sign(Buffer.from(text, 'base64').toString()) === signature
}
