import type { Attacker } from '../attacker.ts'

/** One way of getting more than was paid for. */
export interface Strategy {
  readonly name: string
  /** What it tries, in a line. */
  readonly tries: string
  /** What is left of the five dollars when it begins; the rest was withdrawn. All, unless told. */
  readonly left?: bigint
  run(attacker: Attacker): Promise<unknown>
}

export const CHAT = '/v1/chat/completions'
export const RESPONSES = '/v1/responses'
export const MESSAGES = '/v1/messages'
export const gemini = (model: string, method = 'generateContent'): string => `/v1beta/models/${model}:${method}`

/** Few bytes and few tokens. */
export const user = (content: unknown = 'hello'): object[] => [{ role: 'user', content }]
export const turn = (...parts: object[]): object => ({ contents: [{ role: 'user', parts: parts.length ? parts : [{ text: 'hello' }] }] })

/** Each byte of it is a token: four for each character. */
export const rare = (tokens: number): string => '\u{12031}'.repeat(Math.ceil(tokens / 4))

/** Asks the same over and over, so many at once. */
export const repeat =
  (
    atOnce: number,
    path: string | ((n: number) => string),
    body: (n: number) => unknown,
    asking: Parameters<Attacker['ask']>[2] | ((n: number) => Parameters<Attacker['ask']>[2]) = {},
  ): Strategy['run'] =>
  (attacker) =>
    attacker.loop(atOnce, (n) => attacker.ask(typeof path === 'string' ? path : path(n), body(n), typeof asking === 'function' ? asking(n) : asking))

/** One after the other of a list, without end. */
export const each = <T>(list: readonly T[], n: number): T => list[n % list.length]!

/** So little that a call which is dearer than what was set aside for it leaves a debt that shows. */
export const FEW_CENTS = 60_000_000n
