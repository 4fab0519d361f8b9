import { normalizeMailbox } from '#features/risk/server/door.ts'
import type { MarkKind } from '#features/risk/server/door.ts'
import type { Signal } from '../settings.ts'

/** Sign-up data of a person. */
export interface SignUpFacts {
  readonly email: string | null
  readonly mobile: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly createdAt: Date
}

/** Facts on which a reward is decided. */
export interface FraudFacts {
  readonly invitee: SignUpFacts
  readonly inviter: SignUpFacts
  /** Earlier invitees of the inviter. */
  readonly others: readonly SignUpFacts[]
  readonly inCycle: boolean
  /** Marks that the invitee shares with the inviter, and with the inviter's other invitees. */
  readonly common: readonly { readonly kind: MarkKind; readonly inviter: boolean; readonly others: number }[]
  /** Neither payer nor papers of the invitee are known, so a payment by the inviter would go unnoticed. */
  readonly isUnknown: boolean
  /** Invitee or inviter is an operator. */
  readonly isStaff: boolean
  /** Number of the inviter's invitees within half an hour of this one. */
  readonly brought: number
  /** Number of the inviter's direct rewards, and how many were clawed back. */
  readonly paid: number
  readonly tookBack: number
  readonly paidAt: Date
  /** Undefined while it is too early to decide. */
  readonly hasUsed: boolean | undefined
  readonly disposable: readonly string[]
  readonly virtual: readonly string[]
}

export interface FraudSignal {
  readonly signal: Signal
  readonly facts: Readonly<Record<string, string | number>>
}

const MAX_PER_HOUR = 10
const MIN_PAID = 3
const FAST_SECONDS = 120

/** Network of an address: 203.0.113 for IPv4, the first three groups for IPv6; undefined for loopback. */
export function toSignUpNetwork(ip: string | null): string | undefined {
  const plain = ip?.replace(/^::ffff:/, '')
  if (!plain || plain.startsWith('127.') || plain === '::1') return undefined
  return plain.includes(':') ? plain.split(':').slice(0, 3).join(':') : plain.split('.').slice(0, 3).join('.')
}

const isSameDevice = (a: SignUpFacts, b: SignUpFacts) => {
  const network = toSignUpNetwork(a.ip)
  return network !== undefined && network === toSignUpNetwork(b.ip) && a.userAgent !== null && a.userAgent === b.userAgent
}

const mailsOf = (one: SignUpFacts) => (one.email ? [normalizeMailbox(one.email)] : [])

/** Signals of marks. Mailbox and place are handled below, from the sign-up data. */
const SIGNAL_OF: Readonly<Partial<Record<MarkKind, Signal>>> = {
  payer: 'same_payer',
  payout: 'same_payout',
  person: 'same_person',
  device: 'same_device',
}

/** Finds all fraud signals of an invitation, each a separate fact; their weights are a setting. */
export function findFraudSignals(facts: FraudFacts): FraudSignal[] {
  const { invitee, inviter, others } = facts
  const found: FraudSignal[] = []
  const add = (is: boolean, signal: Signal, more: FraudSignal['facts'] = {}) => {
    if (is) found.push({ signal, facts: more })
  }
  add(facts.isStaff, 'own_staff')
  add(facts.isUnknown, 'unknown_payer')
  for (const { kind, inviter: withInviter, others: count } of facts.common) {
    const signal = SIGNAL_OF[kind]
    if (signal) add(true, signal, { inviter: withInviter ? 1 : 0, others: count })
  }
  const mails = mailsOf(invitee)
  add(
    [inviter, ...others].some((other) => mailsOf(other).some((mail) => mails.includes(mail))),
    'same_contact',
  )
  add(facts.inCycle, 'cycle')
  const isSame = isSameDevice(invitee, inviter)
  add(isSame, 'same_network', { network: toSignUpNetwork(invitee.ip) ?? '' })
  const shared = others.filter((other) => isSameDevice(invitee, other)).length
  add(shared > 0, 'shared_network', { others: shared })
  // A place that already counted at sign-up does not count again for later sign-ins.
  const place = facts.common.find(({ kind }) => kind === 'place')
  const isPlace = place !== undefined && !isSame && !shared
  add(isPlace, 'same_place', { inviter: place?.inviter ? 1 : 0, others: place?.others ?? 0 })
  // members of one household share the network of their keys, too
  const keys = facts.common.find(({ kind }) => kind === 'keys')
  add(keys?.inviter === true && !isSame && !isPlace, 'same_keys', { others: keys?.others ?? 0 })
  const domain = invitee.email?.toLowerCase().split('@')[1] ?? ''
  add(
    facts.disposable.some((bad) => domain === bad || domain.endsWith(`.${bad}`)),
    'disposable_mail',
    { domain },
  )
  add(
    facts.virtual.some((range) => invitee.mobile?.startsWith(range)),
    'virtual_mobile',
  )
  add(facts.brought > MAX_PER_HOUR, 'velocity', { brought: facts.brought })
  add(facts.paid >= MIN_PAID && facts.tookBack * 2 >= facts.paid, 'refund_ratio', { paid: facts.paid, tookBack: facts.tookBack })
  add(facts.hasUsed === false, 'no_use')
  const seconds = Math.round((facts.paidAt.getTime() - invitee.createdAt.getTime()) / 1000)
  add(seconds < FAST_SECONDS, 'too_fast', { seconds })
  return found
}

/** Decides by the sum of the weights. An unknown payer can hold a reward for a review, but never refuse it. */
export function judgeFraudSignals(
  found: readonly FraudSignal[],
  { weights, holdAt, refuseAt }: { weights: Partial<Record<Signal, number>>; holdAt: number; refuseAt: number },
): { score: number; verdict: 'allow' | 'hold' | 'refuse' } {
  const sumOf = (some: readonly FraudSignal[]) => some.reduce((sum, { signal }) => sum + (weights[signal] ?? 0), 0)
  const score = sumOf(found)
  const known = sumOf(found.filter(({ signal }) => signal !== 'unknown_payer'))
  return { score, verdict: known >= refuseAt ? 'refuse' : score >= holdAt ? 'hold' : 'allow' }
}
