import { cardOf, isExpired } from './cards.ts'
import { Refusal } from './company.ts'
import type { Company, Question } from './company.ts'
import { purchaseMagic } from './magic-inputs.ts'
import { DAY_MS, holdDays } from './model.ts'
import type { Authorization, Card, DeclineCode, Local, Merchant } from './model.ts'
import { askPlatform, notify } from './post.ts'

export interface Purchase {
  readonly card: string
  /** 0 verifies the card. */
  readonly minor: bigint
  readonly merchant: Merchant
  readonly local?: Local | undefined
  readonly partialAllowed?: boolean | undefined
  /** Number, expiry, security code or postal code were not the card's. */
  readonly wrongDetails?: boolean | undefined
  readonly visit?: string | undefined
}

/** Authorises a merchant's purchase. Asks the platform only if the company itself has no reason to decline. */
export async function authorize(company: Company, purchase: Purchase): Promise<Authorization> {
  const { card: ref, minor, merchant, local, visit } = purchase
  const made = company.store.atomic(() => {
    const card = cardOf(company, ref)
    const reason = purchase.wrongDetails ? 'wrong_details' : refusalOf(company, card, minor)
    const now = company.now()
    const authorization: Authorization = {
      ref: company.makeRef('auth'),
      card: ref,
      at: now,
      merchant,
      ...(local ? { local } : {}),
      status: reason ? 'closed' : 'pending',
      approved: false,
      ...(reason ? { reason } : {}),
      asking: !reason,
      askedMinor: minor,
      heldMinor: 0n,
      approvedMinor: 0n,
      reversals: 0,
      steps: reason ? [{ what: 'declined', minor, at: now, reason }] : [],
      ...(visit ? { visit } : {}),
    }
    company.store.insert('authorization', authorization, { at: now, card: ref, visit })
    if (reason) notify(company, 'authorization', 'created', authorization.ref, ref, purchaseMagic(minor))
    return authorization
  })
  if (!made.asking) return made
  return decide(company, made.ref, { minor, local, increment: false, partialAllowed: purchase.partialAllowed ?? false })
}

/** Increments an existing authorisation. */
export async function increment(company: Company, ref: string, minor: bigint): Promise<Authorization> {
  const asks = company.store.atomic(() => {
    const found = authorizationOf(company, ref)
    if (found.status !== 'pending' || !found.approved || found.asking) throw new Refusal('not_open')
    if (minor <= 0n) throw new Refusal('bad_sum')
    if (refusalOf(company, cardOf(company, found.card), minor)) {
      notify(company, 'authorization', 'updated', ref, found.card, purchaseMagic(minor))
      return undefined
    }
    found.asking = true
    company.store.update('authorization', found)
    return found
  })
  if (!asks) return authorizationOf(company, ref)
  return decide(company, ref, { minor, local: asks.local, increment: true, partialAllowed: false })
}

async function decide(company: Company, ref: string, question: Question): Promise<Authorization> {
  const answer = await askPlatform(company, authorizationOf(company, ref), question)
  return company.store.atomic(() => {
    const found = authorizationOf(company, ref)
    const card = cardOf(company, found.card)
    // changes to the card or the authorisation in the meantime count as well
    const meanwhile = found.status === 'pending' ? refusalOf(company, card, question.minor) : 'issuer_rule'
    const reason = !answer ? 'no_answer' : !answer.approved ? answer.reason : meanwhile
    found.asking = false
    if (!reason && answer?.approved) approve(company, found, card, answer.minor)
    else {
      found.steps.push({ what: 'declined', minor: question.minor, at: company.now(), reason: reason ?? 'issuer_rule' })
      if (!question.increment) {
        found.status = 'closed'
        found.reason = reason ?? 'issuer_rule'
      }
    }
    company.store.update('authorization', found)
    notify(company, 'authorization', question.increment ? 'updated' : 'created', ref, found.card, purchaseMagic(question.minor))
    return found
  })
}

function approve(company: Company, found: Authorization, card: Card, minor: bigint): void {
  found.approved = true
  found.steps.push({ what: 'approved', minor, at: company.now() })
  found.heldMinor += minor
  found.approvedMinor += minor
  // a verification holds nothing and is over
  if (found.approvedMinor === 0n) found.status = 'closed'
  else found.due ??= company.now() + holdDays(found.merchant) * DAY_MS
  countMonth(company, card, minor)
}

/** Reason for the company to decline without asking the platform. */
function refusalOf(company: Company, card: Card, minor: bigint): DeclineCode | undefined {
  if (card.state === 'frozen') return 'card_frozen'
  if (card.state === 'closed') return 'card_closed'
  if (card.state !== 'active') return 'card_not_ready'
  if (isExpired(card, company.now())) return 'card_expired'
  const spent = card.month.name === monthOf(company) ? card.month.minor : 0n
  return spent + minor > card.ceilingMinor ? 'issuer_rule' : undefined
}

const monthOf = (company: Company) => new Date(company.now()).toISOString().slice(0, 7)

/** Counts towards the card's ceiling of this month; what is given back counts less. */
export function countMonth(company: Company, card: Card, minor: bigint): void {
  const name = monthOf(company)
  const before = card.month.name === name ? card.month.minor : 0n
  const after = before + minor
  card.month = { name, minor: after < 0n ? 0n : after }
  company.store.update('card', card)
}

export function authorizationOf(company: Company, ref: string): Authorization {
  const found = company.store.find('authorization', ref)
  if (!found) throw new Refusal('no_such_authorization', 404)
  return found
}

/** The merchant lets go of all of it, or of a part. */
export function reverse(company: Company, ref: string, minor?: bigint): Authorization {
  return company.store.atomic(() => {
    const found = authorizationOf(company, ref)
    if (found.status !== 'pending' || !found.approved || found.asking) throw new Refusal('not_open')
    const given = minor ?? found.heldMinor
    if (given <= 0n || given > found.heldMinor) throw new Refusal('bad_sum')
    found.heldMinor -= given
    found.reversals++
    found.steps.push({ what: 'reversed', minor: given, at: company.now() })
    if (found.heldMinor === 0n) {
      found.status = 'reversed'
      delete found.due
    }
    countMonth(company, cardOf(company, found.card), -given)
    company.store.update('authorization', found)
    notify(company, 'authorization', 'updated', ref, found.card, purchaseMagic(given))
    return found
  })
}

/** Expires an authorisation: releases the money, although the merchant may still capture it. */
export function expire(company: Company, ref: string): Authorization {
  return company.store.atomic(() => {
    const found = authorizationOf(company, ref)
    if (found.status !== 'pending' || found.asking) throw new Refusal('not_open')
    found.status = 'expired'
    found.steps.push({ what: 'expired', minor: found.heldMinor, at: company.now() })
    found.heldMinor = 0n
    delete found.due
    company.store.update('authorization', found)
    notify(company, 'authorization', 'updated', ref, found.card)
    return found
  })
}

/** Declines decision requests that a crashed process left open. */
export function sweep(company: Company): void {
  for (const found of company.store.undecided())
    company.store.atomic(() => {
      found.asking = false
      if (!found.approved) {
        found.status = 'closed'
        found.reason = 'no_answer'
      }
      company.store.update('authorization', found)
      notify(company, 'authorization', 'updated', found.ref, found.card)
    })
}
