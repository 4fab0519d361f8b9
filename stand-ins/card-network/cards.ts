import { randomInt } from 'node:crypto'
import { Refusal } from './company.ts'
import type { Company } from './company.ts'
import { cardMagic } from './magic-inputs.ts'
import type { Card, Holder, PostalAddress } from './model.ts'
import { notify } from './post.ts'

/** Ranges that the schemes set aside for tests. */
const BINS = { standard: '400000', pro: '555555' } as const
const OPENING_MS = 5_000

export interface NewHolder {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly address: PostalAddress
  readonly billing?: PostalAddress | undefined
  /** Chosen by the caller, if it must know it before. */
  readonly ref?: string
}
export interface NewCard {
  readonly key: string
  readonly holder: string
  readonly type: Card['type']
  readonly months: number
  readonly ceilingMinor: bigint
  readonly replaces?: string | undefined
  /** Chosen by the caller, if it must know it before. */
  readonly ref?: string
}

export function createHolder(company: Company, call: NewHolder): Holder {
  const { billing, ref = company.makeRef('hold'), ...person } = call
  const holder: Holder = { ref, ...person, ...(billing ? { billing } : {}) }
  company.store.insert('holder', holder, { at: company.now() })
  return holder
}

export function createCard(company: Company, { key, holder, type, months, ceilingMinor, replaces, ref = company.makeRef('card') }: NewCard): Card {
  const { store } = company
  const owner = store.find('holder', holder)
  if (!owner) throw new Refusal('no_such_holder')
  if (replaces && !store.find('card', replaces)) throw new Refusal('no_such_card')
  const magic = cardMagic(owner.email)
  const ends = new Date(company.now())
  ends.setUTCDate(1)
  ends.setUTCMonth(ends.getUTCMonth() + months)
  const number = newNumber(company, ref, BINS[type])
  const card: Card = {
    ref,
    key,
    holder,
    type,
    state: magic === 'failed' ? 'failed' : magic === 'opening' ? 'opening' : 'active',
    ...(magic === 'failed' ? { reason: 'holder_not_accepted' } : {}),
    bin: number.slice(0, 6),
    last4: number.slice(-4),
    expMonth: ends.getUTCMonth() + 1,
    expYear: ends.getUTCFullYear(),
    ceilingMinor,
    month: { name: '', minor: 0n },
    billing: owner.billing ?? owner.address,
    ...(replaces ? { replaces } : {}),
    ...(magic === 'opening' ? { due: company.now() + OPENING_MS } : {}),
  }
  store.insert('card', card, { at: company.now(), card: ref, link: key, due: card.due })
  notify(company, 'card', 'created', ref, ref)
  return card
}

function newNumber(company: Company, card: string, bin: string): string {
  for (;;) {
    const front = bin + String(randomInt(1_000_000_000)).padStart(9, '0')
    const number = front + luhnDigit(front)
    if (company.store.keepNumber(number, card, String(randomInt(1000)).padStart(3, '0'))) return number
  }
}

/** The digit that makes a number pass Luhn's check. */
export function luhnDigit(front: string): string {
  let total = 0
  for (const [at, digit] of [...front].toReversed().entries()) {
    const value = at % 2 === 0 ? Number(digit) * 2 : Number(digit)
    total += value > 9 ? value - 9 : value
  }
  return String((10 - (total % 10)) % 10)
}

export function cardOf(company: Company, ref: string): Card {
  const card = company.store.find('card', ref)
  if (!card) throw new Refusal('no_such_card', 404)
  return card
}

export function setState(company: Company, ref: string, state: 'active' | 'frozen' | 'closed'): Card {
  const card = cardOf(company, ref)
  if (card.state === state) return card
  if (card.state === 'closed' || card.state === 'failed') throw new Refusal('card_is_closed')
  if (card.state === 'opening' && state !== 'closed') throw new Refusal('card_not_ready')
  card.state = state
  delete card.due
  company.store.update('card', card)
  notify(company, 'card', 'updated', ref, ref)
  return card
}

/** Sets the billing address that shops check typed addresses against. */
export function setBilling(company: Company, ref: string, billing: PostalAddress): Card {
  const card = cardOf(company, ref)
  if (card.state === 'closed' || card.state === 'failed') throw new Refusal('card_is_closed')
  card.billing = billing
  company.store.update('card', card)
  notify(company, 'card', 'updated', ref, ref)
  return card
}

/** The card's own address; cards of earlier versions have their holder's. */
export const billingOf = (company: Company, card: Card): PostalAddress => card.billing ?? company.store.find('holder', card.holder)!.address

/** A card that was long in the making is there. */
export function becomeActive(company: Company, ref: string): void {
  const card = cardOf(company, ref)
  delete card.due
  if (card.state === 'opening') card.state = 'active'
  company.store.update('card', card)
  notify(company, 'card', 'updated', ref, ref)
}

/** Valid to the end of the month that is printed on it. */
export const isExpired = ({ expYear, expMonth }: Card, now: number): boolean => now >= Date.UTC(expYear, expMonth, 1)

export const accountOf = (card: string): string => `card:${card}`
