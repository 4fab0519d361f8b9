import { ACTS } from '../acts/all.ts'
import { pageActs } from '../pages/acts.ts'
import type { Act } from '../acts/act.ts'
import { createRandom, seedOf } from './random.ts'

export interface Step {
  readonly act: Act
  readonly seed: number
}

/** First acts that most people came for; the others begin anywhere. */
const ERRANDS = [
  ['top up', 'make a key', 'call a model', 'call a model'],
  ['open a card', 'load a card', 'buy with a card', 'buy with a card'],
  ['top up', 'open a card', 'load a card', 'upgrade an account'],
  ['open a card', 'take a number', 'use the remote browser', 'take a mailbox'],
  ['top up', 'subscribe', 'use a subscription', 'withdraw'],
  [],
] as const

const PAGE_ERRANDS = [
  ['top up', 'open a card on pages', 'look at money pages', 'load a card', 'look at money pages'],
  ['top up', 'withdraw', 'subscribe', 'look at money pages', 'wander through pages'],
] as const

/** Draws all acts of a person before anything happens, so that a replay does the same whatever came of them. An account is not deleted at the beginning. */
export function planOf(seed: number, acts: number, usesPages: boolean, named: readonly string[] = []): Step[] {
  const random = createRandom(seedOf(seed, 'plan'))
  const weights = (list: readonly Act[]): (readonly [Act, number])[] => list.map((act) => [act, act.weight] as const)
  const list = usesPages ? [...ACTS, ...pageActs] : ACTS
  const early = weights(list.filter(({ name }) => name !== 'delete the account'))
  const all = weights(list)
  if (named.length)
    return named.map((name, at) => ({ act: [...ACTS, ...pageActs].find((act) => act.name === name) ?? unknownAct(name), seed: seedOf(seed, 'act', at) }))
  const errand: readonly string[] = usesPages ? random.pick(PAGE_ERRANDS) : random.pick(ERRANDS)
  const actAt = (at: number): Act => list.find(({ name }) => name === errand[at]) ?? random.weighted(at < acts / 2 ? early : all)
  return Array.from({ length: acts }, (_, at) => ({ act: actAt(at), seed: seedOf(seed, 'act', at) }))
}

function unknownAct(name: string): never {
  throw new Error(`no act "${name}"; there are: ${[...ACTS, ...pageActs].map((act) => act.name).join(', ')}`)
}
