import { plainMail } from '#features/risk/server/door.ts'
import type { MarkKind } from '#features/risk/server/door.ts'
import type { Signal } from '../settings.ts'

/** What is known of somebody's beginnings. */
export interface Beginning {
  readonly email: string | null
  readonly mobile: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly createdAt: Date
}

/** What is known when a reward is decided on. */
export interface Facts {
  readonly invitee: Beginning
  readonly inviter: Beginning
  /** Others whom the inviter brought before. */
  readonly others: readonly Beginning[]
  readonly inCycle: boolean
  /** What the invitee has in common with the inviter, and with others whom the inviter brought. */
  readonly common: readonly { readonly kind: MarkKind; readonly inviter: boolean; readonly others: number }[]
  /** Neither who paid for the invitee nor whose papers the invitee has is known: nobody could see that the inviter paid. */
  readonly isUnknown: boolean
  /** Invitee or inviter is the platform's own. */
  readonly isStaff: boolean
  /** How many the inviter brought within half an hour of this one. */
  readonly brought: number
  /** Of the inviter's people who paid: how many there are, and how many of them took it back. */
  readonly paid: number
  readonly tookBack: number
  readonly paidAt: Date
  /** Undefined while it is too early to tell. */
  readonly hasUsed: boolean | undefined
  readonly disposable: readonly string[]
  readonly virtual: readonly string[]
}

export interface Found {
  readonly signal: Signal
  readonly facts: Readonly<Record<string, string | number>>
}

const MANY_AN_HOUR = 10
const PAID_AT_LEAST = 3
const FAST_SECONDS = 120

/** 203.0.113 of an IPv4 address; of an IPv6 one its first three groups. Undefined for addresses of this machine. */
export function networkOf(ip: string | null): string | undefined {
  const plain = ip?.replace(/^::ffff:/, '')
  if (!plain || plain.startsWith('127.') || plain === '::1') return undefined
  return plain.includes(':') ? plain.split(':').slice(0, 3).join(':') : plain.split('.').slice(0, 3).join('.')
}

const isSameDevice = (a: Beginning, b: Beginning) => {
  const network = networkOf(a.ip)
  return network !== undefined && network === networkOf(b.ip) && a.userAgent !== null && a.userAgent === b.userAgent
}

const mailsOf = (one: Beginning) => (one.email ? [plainMail(one.email)] : [])

/** The mailbox is judged by what was signed up with, the place against that, below. */
const SIGNAL_OF: Readonly<Partial<Record<MarkKind, Signal>>> = {
  payer: 'same_payer',
  payout: 'same_payout',
  person: 'same_person',
  device: 'same_device',
}

/** Every sign that speaks against an invitation, each a fact by itself; what they weigh is a setting. */
export function findSignals(facts: Facts): Found[] {
  const { invitee, inviter, others } = facts
  const found: Found[] = []
  const add = (is: boolean, signal: Signal, more: Found['facts'] = {}) => {
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
  add(isSame, 'same_network', { network: networkOf(invitee.ip) ?? '' })
  const shared = others.filter((other) => isSameDevice(invitee, other)).length
  add(shared > 0, 'shared_network', { others: shared })
  // What was said of the sign-up is not said again of the sign-ins after it.
  const place = facts.common.find(({ kind }) => kind === 'place')
  const isPlace = place !== undefined && !isSame && !shared
  add(isPlace, 'same_place', { inviter: place?.inviter ? 1 : 0, others: place?.others ?? 0 })
  // people of one household use their keys there, too
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
  add(facts.brought > MANY_AN_HOUR, 'velocity', { brought: facts.brought })
  add(facts.paid >= PAID_AT_LEAST && facts.tookBack * 2 >= facts.paid, 'refund_ratio', { paid: facts.paid, tookBack: facts.tookBack })
  add(facts.hasUsed === false, 'no_use')
  const seconds = Math.round((facts.paidAt.getTime() - invitee.createdAt.getTime()) / 1000)
  add(seconds < FAST_SECONDS, 'too_fast', { seconds })
  return found
}

/** The sum of the weights decides. What nobody knows can hold a reward for a person, and refuses none. */
export function judge(
  found: readonly Found[],
  { weights, holdAt, refuseAt }: { weights: Partial<Record<Signal, number>>; holdAt: number; refuseAt: number },
): { score: number; verdict: 'allow' | 'hold' | 'refuse' } {
  const sumOf = (some: readonly Found[]) => some.reduce((sum, { signal }) => sum + (weights[signal] ?? 0), 0)
  const score = sumOf(found)
  const known = sumOf(found.filter(({ signal }) => signal !== 'unknown_payer'))
  return { score, verdict: known >= refuseAt ? 'refuse' : score >= holdAt ? 'hold' : 'allow' }
}
