import { expect, test } from 'vitest'
import { signalWeights, SIGNALS } from '../settings.ts'
import { addWorkingDays } from './hold-for-review.ts'
import { computeCashback, computeDirectReward } from './amounts.ts'
import { normalizeMailbox } from '#features/risk/server/door.ts'
import { findFraudSignals, judgeFraudSignals, toSignUpNetwork } from './signals.ts'
import type { SignUpFacts, FraudFacts } from './signals.ts'

const at = (text: string) => new Date(`2026-11-23T${text}Z`)
const one = (name: string, net: number): SignUpFacts => ({
  email: `${name}@example.com`,
  mobile: null,
  ip: `203.0.${net}.7`,
  userAgent: `browser of ${name}`,
  createdAt: at('01:00:00'),
})
const HONEST: FraudFacts = {
  invitee: one('bob', 1),
  inviter: one('ann', 2),
  others: [one('cat', 3), one('dan', 4)],
  inCycle: false,
  common: [],
  isUnknown: false,
  isStaff: false,
  brought: 1,
  paid: 10,
  tookBack: 1,
  paidAt: at('01:10:00'),
  hasUsed: true,
  disposable: ['mailinator.com'],
  virtual: ['+86170'],
}
const { invitee, inviter } = HONEST

/** Facts that trigger exactly one signal. */
const ALONE: Readonly<Record<(typeof SIGNALS)[number], Partial<FraudFacts>>> = {
  own_staff: { isStaff: true },
  same_payer: { common: [{ kind: 'payer', inviter: true, others: 0 }] },
  unknown_payer: { isUnknown: true },
  same_payout: { common: [{ kind: 'payout', inviter: false, others: 2 }] },
  same_person: { common: [{ kind: 'person', inviter: true, others: 1 }] },
  same_device: { common: [{ kind: 'device', inviter: true, others: 0 }] },
  same_place: { common: [{ kind: 'place', inviter: true, others: 0 }] },
  same_keys: { common: [{ kind: 'keys', inviter: true, others: 0 }] },
  same_contact: { invitee: { ...invitee, email: 'A.nn+second@Example.com' } },
  cycle: { inCycle: true },
  same_network: { invitee: { ...invitee, ip: '203.0.2.99', userAgent: inviter.userAgent } },
  shared_network: { invitee: { ...invitee, ip: '203.0.3.99', userAgent: 'browser of cat' } },
  disposable_mail: { invitee: { ...invitee, email: 'x@eu.mailinator.com' } },
  virtual_mobile: { invitee: { ...invitee, email: null, mobile: '+8617012345678' } },
  velocity: { brought: 11 },
  refund_ratio: { paid: 4, tookBack: 2 },
  no_use: { hasUsed: false },
  too_fast: { paidAt: at('01:01:59') },
}
const weights = signalWeights.fallback

test('an unknown payer beside slight signals waits for a person, beside a shared device it is refused', () => {
  const all = (['unknown_payer', 'same_network', 'too_fast', 'no_use'] as const).map((signal) => ({ signal, facts: {} }))
  expect(judgeFraudSignals(all, weights)).toEqual({ score: 140, verdict: 'hold' })
  expect(judgeFraudSignals([...all, { signal: 'same_device', facts: {} }], weights).verdict).toBe('refuse')
})

test('an honest invitation raises nothing', () => {
  expect(findFraudSignals(HONEST)).toEqual([])
  expect(judgeFraudSignals([], weights)).toEqual({ score: 0, verdict: 'allow' })
})

test('ten people brought within an hour raise nothing', () => {
  expect(findFraudSignals({ ...HONEST, brought: 10 })).toEqual([])
})

test.each(SIGNALS)('%s alone is found alone, with its own weight', (signal) => {
  const found = findFraudSignals({ ...HONEST, ...ALONE[signal] })
  expect(found.map((one) => one.signal)).toEqual([signal])
  const weight = weights.weights[signal]!
  expect(judgeFraudSignals(found, weights)).toEqual({ score: weight, verdict: weight >= 100 ? 'refuse' : weight >= 60 ? 'hold' : 'allow' })
})

test('in pairs the weights add up', () => {
  for (const first of SIGNALS)
    for (const second of SIGNALS) {
      const [a, b] = [ALONE[first], ALONE[second]]
      // two facts of the same person would overwrite each other, and the place of the sign-up covers all later ones
      if (first === second || (a.invitee && b.invitee)) continue
      if ([first, second].includes('same_place') && [first, second].some((one) => one.endsWith('_network'))) continue
      if ([first, second].includes('same_keys') && [first, second].some((one) => one === 'same_network' || one === 'same_place')) continue
      const found = findFraudSignals({ ...HONEST, ...a, ...b, common: [...(a.common ?? []), ...(b.common ?? [])] })
      expect(new Set(found.map((one) => one.signal))).toEqual(new Set([first, second]))
      const score = weights.weights[first]! + weights.weights[second]!
      // an unknown payer never refuses a reward
      const known = [first, second].reduce((sum, one) => sum + (one === 'unknown_payer' ? 0 : weights.weights[one]!), 0)
      expect(judgeFraudSignals(found, weights)).toEqual({ score, verdict: known >= 100 ? 'refuse' : score >= 60 ? 'hold' : 'allow' })
    }
})

test('a household that uses its keys at home is said once; keys that others of the inviter share are no sign', () => {
  const keys = { kind: 'keys', inviter: true, others: 0 } as const
  const home = { invitee: { ...invitee, ip: '203.0.2.99', userAgent: inviter.userAgent }, common: [keys, { kind: 'place', inviter: true, others: 0 } as const] }
  expect(findFraudSignals({ ...HONEST, ...home }).map((one) => one.signal)).toEqual(['same_network'])
  expect(findFraudSignals({ ...HONEST, common: [{ ...keys, inviter: false, others: 3 }] })).toEqual([])
})

test('mailboxes and networks are compared in their plain form', () => {
  expect(normalizeMailbox('Wang.Wei+a@GoogleMail.com')).toBe(normalizeMailbox('wangwei@gmail.com'))
  expect(toSignUpNetwork('::ffff:203.0.113.9')).toBe(toSignUpNetwork('203.0.113.200'))
  expect(toSignUpNetwork('2001:db8:1:2::3')).toBe(toSignUpNetwork('2001:db8:1:9::7'))
  expect(toSignUpNetwork('127.0.0.1')).toBeUndefined()
  expect(findFraudSignals({ ...HONEST, invitee: { ...invitee, ip: null }, inviter: { ...inviter, ip: null } })).toEqual([])
})

test('a tier sets the price of a reward by its count; cashback is whole cents, rounded down', () => {
  const rule = {
    rewardNano: 1n,
    tiers: [
      { from: 1, reward: '2' },
      { from: 20, reward: '2.5' },
      { from: 50, reward: '3' },
    ],
  }
  expect([1, 19, 20, 49, 50, 900].map((n) => computeDirectReward(rule, n).amount)).toEqual([2, 2, 2.5, 2.5, 3, 3].map((n) => BigInt(n * 1e9)))
  expect(computeDirectReward({ ...rule, tiers: null }, 30).amount).toBe(1n)
  expect(computeCashback({ cashbackPercent: '3.3333' }, 20_000_000_000n)?.amount).toBe(660_000_000n)
  expect(computeCashback({ cashbackPercent: '0.0001' }, 20_000_000_000n)).toBeUndefined()
})

test('two working days pass over a weekend', () => {
  expect(addWorkingDays(new Date('2026-11-27T03:00:00Z'), 2).toISOString().slice(0, 10)).toBe('2026-12-01')
  expect(addWorkingDays(new Date('2026-11-23T03:00:00Z'), 2).toISOString().slice(0, 10)).toBe('2026-11-25')
})
