import { ACTS } from '../acts/all.ts'
import type { Act } from '../acts/act.ts'
import { createRandom, seedOf } from './random.ts'

export interface Step {
  readonly act: Act
  readonly seed: number
}

/** What most people came for; the others begin anywhere. */
const ERRANDS = [
  ['top up', 'make a key', 'call a model', 'call a model'],
  ['open a card', 'load a card', 'buy with a card', 'buy with a card'],
  ['top up', 'open a card', 'load a card', 'upgrade an account'],
  ['open a card', 'take a number', 'use the remote browser', 'take a mailbox'],
  ['top up', 'subscribe', 'use a subscription', 'withdraw'],
  [],
] as const

/** What a person will do, drawn before anything happens: a replay does the same, whatever came of it. An account is not deleted at the beginning. */
export function planOf(seed: number, acts: number): Step[] {
  const random = createRandom(seedOf(seed, 'plan'))
  const weights = (list: readonly Act[]): (readonly [Act, number])[] => list.map((act) => [act, act.weight] as const)
  const early = weights(ACTS.filter(({ name }) => name !== 'delete the account'))
  const all = weights(ACTS)
  const errand: readonly string[] = random.pick(ERRANDS)
  const actAt = (at: number): Act => ACTS.find(({ name }) => name === errand[at]) ?? random.weighted(at < acts / 2 ? early : all)
  return Array.from({ length: acts }, (_, at) => ({ act: actAt(at), seed: seedOf(seed, 'act', at) }))
}
