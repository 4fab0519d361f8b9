import { readCents } from '../money.ts'
import { authorize, expire, increment, reverse } from '../authorizations.ts'
import { billingOf, luhnDigit } from '../cards.ts'
import { challenge } from '../challenges.ts'
import { Refusal } from '../company.ts'
import type { Company } from '../company.ts'
import { settleCardDispute } from '../disputes.ts'
import type { Kind } from '../model.ts'
import { stopSubscription, subscribe } from '../subscriptions.ts'
import { capture, force, refund, reverseCardRefund, unlinkedRefund } from '../transactions.ts'
import { HOWS, SHOPS } from './merchants.ts'
import type { How, Shop } from './merchants.ts'

const MOST = 9_999_999n

/** Exact cents, or undefined. */
export function sumIn(text: string | null): bigint | undefined {
  const minor = readCents((text ?? '').trim())
  return minor !== undefined && minor > 0n && minor <= MOST ? minor : undefined
}

export interface Order {
  readonly shop: Shop
  readonly how: How
  readonly card: string
  readonly minor: bigint
  readonly wrongDetails: boolean
  readonly partialAllowed: boolean
  readonly visit: string
}
export type Read = { readonly order: Order; readonly secure: boolean } | { readonly problem: 'badNumber' | 'noCard' | 'badSum' }

/** Parses the order form and checks it against the card. */
export function readShopOrder(company: Company, form: URLSearchParams, visit: string): Read {
  const shop = SHOPS.find(({ id }) => id === form.get('shop')) ?? SHOPS[0]!
  const how = HOWS.find((one) => one === form.get('how')) ?? shop.how
  const minor = how === 'verify' ? 0n : shop.minor || sumIn(form.get('sum'))
  if (minor === undefined) return { problem: 'badSum' }
  const number = (form.get('number') ?? '').replace(/[\s-]/g, '')
  if (!/^\d{16}$/.test(number) || luhnDigit(number.slice(0, -1)) !== number.at(-1)) return { problem: 'badNumber' }
  const found = company.store.cardOfNumber(number)
  const card = found && company.store.find('card', found.card)
  if (!found || !card) return { problem: 'noCard' }
  const postal = billingOf(company, card).postalCode
  const typed = (form.get('postal') ?? '').trim()
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(form.get('expiry') ?? '') ?? []
  const right =
    Number(month) === card.expMonth &&
    Number(year) === card.expYear % 100 &&
    (form.get('cvv') ?? '').trim() === found.cvv &&
    (!typed || typed.toLowerCase() === postal.toLowerCase())
  const order = { shop, how, card: card.ref, minor, wrongDetails: !right, partialAllowed: form.get('partial') === '1', visit }
  return { order, secure: right && how !== 'force' && how !== 'refund' && (shop.secure || form.get('secure') === '1') }
}

/** Asks the holder for a code first; what was ordered waits for it. */
export function askForCode(company: Company, order: Order): string {
  const { shop, how, card, minor, partialAllowed, visit } = order
  const purchase = JSON.stringify({ shop: shop.id, how, sum: minor.toString(), partialAllowed })
  return challenge(company, { card, merchant: shop.merchant, minor, purchase, visit }).ref
}

export function orderOf(purchase: string, card: string, visit: string): Order {
  const kept = JSON.parse(purchase) as { shop: string; how: How; sum: string; partialAllowed: boolean }
  const shop = SHOPS.find(({ id }) => id === kept.shop)!
  return { shop, how: kept.how, card, minor: BigInt(kept.sum), wrongDetails: false, partialAllowed: kept.partialAllowed, visit }
}

/** Does what was ordered; resolves to what the receipt shows. */
export async function carryOut(company: Company, order: Order): Promise<string> {
  const { shop, how, card, minor, wrongDetails, partialAllowed, visit } = order
  const { merchant, local } = shop
  if (how === 'force') return force(company, { card, minor, merchant, local, visit }).ref
  if (how === 'refund') return unlinkedRefund(company, { card, minor, merchant, visit }).ref
  const made = await authorize(company, { card, minor, merchant, local, wrongDetails, partialAllowed, visit })
  if (made.approved && (how === 'sale' || how === 'monthly')) capture(company, made.ref, { minor: made.approvedMinor })
  if (made.approved && how === 'monthly') subscribe(company, visit, made)
  return made.ref
}

const KIND_OF: Readonly<Record<string, Kind>> = {
  capture: 'authorization',
  captureMore: 'authorization',
  increment: 'authorization',
  reverse: 'authorization',
  expire: 'authorization',
  refund: 'transaction',
  reverseRefund: 'transaction',
  stop: 'subscription',
  won: 'dispute',
  lost: 'dispute',
}

/** A button below the counter. Only what was done in the same browser answers to it. */
export async function act(company: Company, form: URLSearchParams, visit: string): Promise<void> {
  const [what, ref, minor] = [form.get('what') ?? '', form.get('ref') ?? '', sumIn(form.get('sum'))]
  const kind = KIND_OF[what]
  const found = kind && company.store.find(kind, ref)
  if (!found) throw new Refusal('no_such_thing')
  const owner = 'transaction' in found ? company.store.find('transaction', found.transaction) : found
  if (!owner || !('visit' in owner) || owner.visit !== visit) throw new Refusal('no_such_thing')
  if (what === 'expire') return void expire(company, ref)
  if (what === 'reverseRefund') return void reverseCardRefund(company, ref)
  if (what === 'stop') return void stopSubscription(company, ref)
  if (what === 'won' || what === 'lost') return void settleCardDispute(company, ref, what)
  if (minor === undefined) throw new Refusal('bad_sum')
  if (what === 'capture' || what === 'captureMore') return void capture(company, ref, { minor, more: what === 'captureMore' })
  if (what === 'increment') return void (await increment(company, ref, minor))
  if (what === 'reverse') return void reverse(company, ref, minor)
  if (what === 'refund') return void refund(company, ref, minor)
}
