import { ROBOT_ACTS } from '../acts/all.ts'
import { pageActs } from '../pages/acts.ts'
import type { RobotAct } from '../acts/act.ts'
import { createSeededRandom, deriveSeed } from './random.ts'

export interface PlannedAct {
  readonly act: RobotAct
  readonly seed: number
}

/** Typical first acts; the other people start anywhere. */
const FIRST_ACTS = [
  ['top up', 'make a key', 'call a model', 'call a model'],
  ['open a card', 'load a card', 'buy with a card', 'buy with a card'],
  ['top up', 'open a card', 'load a card', 'upgrade an account'],
  ['open a card', 'take a number', 'use the remote browser', 'take a mailbox'],
  ['top up', 'subscribe', 'use a subscription', 'withdraw'],
  [],
] as const

const FIRST_PAGE_ACTS = [
  ['top up', 'open a card on pages', 'look at money pages', 'load a card', 'look at money pages'],
  ['top up', 'withdraw', 'subscribe', 'look at money pages', 'wander through pages'],
] as const

/** Draws all acts of a person in advance, so that a replay repeats them regardless of their results. An account is not deleted early. */
export function drawPlan(
  seed: number,
  acts: number,
  { usesPages, named = [] }: { readonly usesPages: boolean; readonly named?: readonly string[] },
): PlannedAct[] {
  const random = createSeededRandom(deriveSeed(seed, 'plan'))
  const weights = (list: readonly RobotAct[]): (readonly [RobotAct, number])[] => list.map((act) => [act, act.weight] as const)
  const list = usesPages ? [...ROBOT_ACTS, ...pageActs] : ROBOT_ACTS
  const early = weights(list.filter(({ name }) => name !== 'delete the account'))
  const all = weights(list)
  if (named.length)
    return named.map((name, at) => ({
      act: [...ROBOT_ACTS, ...pageActs].find((act) => act.name === name) ?? throwUnknownAct(name),
      seed: deriveSeed(seed, 'act', at),
    }))
  const errand: readonly string[] = usesPages ? random.pick(FIRST_PAGE_ACTS) : random.pick(FIRST_ACTS)
  const actAt = (at: number): RobotAct => list.find(({ name }) => name === errand[at]) ?? random.weighted(at < acts / 2 ? early : all)
  return Array.from({ length: acts }, (_, at) => ({ act: actAt(at), seed: deriveSeed(seed, 'act', at) }))
}

function throwUnknownAct(name: string): never {
  throw new Error(`no act "${name}"; there are: ${[...ROBOT_ACTS, ...pageActs].map((act) => act.name).join(', ')}`)
}
