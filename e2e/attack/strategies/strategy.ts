import type { Attacker } from '../attacker.ts'

/** An attempt to get more than was paid for. */
export interface Strategy {
  readonly name: string
  /** The attempt in one line. */
  readonly tries: string
  /** Balance at the start, after the rest of the five dollars was withdrawn; defaults to all of it. */
  readonly left?: bigint
  run(attacker: Attacker): Promise<unknown>
}

export const CHAT_PATH = '/v1/chat/completions'
export const RESPONSES_PATH = '/v1/responses'
export const MESSAGES_PATH = '/v1/messages'
export const toGeminiPath = (model: string, method = 'generateContent'): string => `/v1beta/models/${model}:${method}`

/** A short message with few tokens. */
export const buildUserMessages = (content: unknown = 'hello'): object[] => [{ role: 'user', content }]
export const buildGeminiBody = (...parts: object[]): object => ({ contents: [{ role: 'user', parts: parts.length ? parts : [{ text: 'hello' }] }] })

/** Text in which each byte is a token: four per character. */
export const buildRareText = (tokens: number): string => '\u{12031}'.repeat(Math.ceil(tokens / 4))

/** Repeats the same request with a fixed parallelism. */
export const repeatRequest =
  (
    atOnce: number,
    path: string | ((n: number) => string),
    {
      body,
      asking = {},
    }: { readonly body: (n: number) => unknown; readonly asking?: Parameters<Attacker['ask']>[2] | ((n: number) => Parameters<Attacker['ask']>[2]) },
  ): Strategy['run'] =>
  (attacker) =>
    attacker.loop(atOnce, (n) => attacker.ask(typeof path === 'string' ? path : path(n), body(n), typeof asking === 'function' ? asking(n) : asking))

/** Cycles through a list endlessly. */
export const pickInTurn = <T>(list: readonly T[], n: number): T => list[n % list.length]!

/** A balance so small that a call which exceeds its hold leaves a visible debt. */
export const SMALL_BALANCE_NANO = 60_000_000n
