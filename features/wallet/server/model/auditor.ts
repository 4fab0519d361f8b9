/**
 * The ledger as a few pure functions over maps: the second opinion that the tests hold against the database (money.md L1).
 * It shares no code with the ledger. Whatever it refuses, it refuses before it changes anything. Amounts are bigint; an account is named `owner/kind/currency`.
 */
export interface Lot {
  id: number
  kind: 'purchased' | 'granted'
  remaining: bigint
}
export interface HoldState {
  user: string
  currency: string
  asked: bigint
  amount: bigint
  captured: bigint
  status: string
  strict: boolean
  due: boolean
}
interface Use {
  lot: Lot
  amount: bigint
}

export interface Model {
  posted: Map<string, bigint>
  lots: Map<string, Lot[]>
  holds: Map<string, HoldState>
  /** Amounts that a spending took from lots, less refunds; by reference. */
  uses: Map<string, Use[]>
  lotCount: number
}

export class Refused extends Error {}
const refuse = (name: string): never => {
  throw new Refused(name)
}

export const emptyModel = (): Model => ({ posted: new Map(), lots: new Map(), holds: new Map(), uses: new Map(), lotCount: 0 })

export const customer = (user: string, currency: string) => `user:${user}/customer/${currency}`
export const owing = (user: string, currency: string) => `user:${user}/receivable/${currency}`
export const reward = (user: string, currency: string) => `user:${user}/reward/${currency}`
export const house = (kind: string, currency: string) => `system/${kind}/${currency}`
const mayGoNegative = (name: string) => !/\/(customer|card|deposit|suspense|in_transit)\//.test(name)
const min = (...values: bigint[]) => values.reduce((a, b) => (b < a ? b : a))

export const posted = (m: Model, name: string) => m.posted.get(name) ?? 0n
const openHolds = (m: Model, name: string) => [...m.holds.values()].filter((h) => h.status === 'pending' && customer(h.user, h.currency) === name)
export const held = (m: Model, name: string) => openHolds(m, name).reduce((all, h) => all + h.amount - h.captured, 0n)
export const available = (m: Model, name: string) => posted(m, name) - held(m, name)
export const lotsOf = (m: Model, name: string) => m.lots.get(name) ?? []
export const granted = (m: Model, name: string) =>
  lotsOf(m, name)
    .filter((l) => l.kind === 'granted')
    .reduce((all, l) => all + l.remaining, 0n)
const strictHeld = (m: Model, name: string) =>
  openHolds(m, name)
    .filter((h) => h.strict)
    .reduce((all, h) => all + h.amount - h.captured, 0n)
const purchasedFree = (m: Model, name: string) => posted(m, name) - granted(m, name) - strictHeld(m, name)

const bump = (m: Model, name: string, by: bigint) => {
  m.posted.set(name, posted(m, name) + by)
}

function takeLots(m: Model, name: string, amount: bigint, purchasedOnly: boolean): Use[] {
  const inOrder = lotsOf(m, name)
    .filter((l) => l.remaining > 0n && (!purchasedOnly || l.kind === 'purchased'))
    .toSorted((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind === 'granted' ? -1 : 1))
  const uses: Use[] = []
  let left = amount
  for (const lot of inOrder) {
    const part = min(lot.remaining, left)
    if (part === 0n) break
    uses.push({ lot, amount: part })
    left -= part
  }
  if (left > 0n) refuse('INSUFFICIENT_FUNDS')
  for (const use of uses) use.lot.remaining -= use.amount
  return uses
}

/** True if the user of an account owes in its currency; then no money may leave. */
const owes = (m: Model, name: string): boolean => !name.startsWith('system/') && posted(m, name.replace(/\/\w+\/(\w+)$/, '/receivable/$1')) < 0n

/** Applies a movement. With `captured` the money was held, so the available balance does not limit it. */
export function move(
  m: Model,
  from: string,
  to: string,
  amount: bigint,
  options: { lot?: 'purchased' | 'granted'; purchasedOnly?: boolean; captured?: boolean; undoes?: string } = {},
): Use[] {
  if (amount <= 0n) refuse('BAD_AMOUNT')
  if (to.includes('/in_transit/') && owes(m, from)) refuse('DEBT_FIRST')
  // A reward account goes below zero only by what is taken back.
  const mayOwe = mayGoNegative(from) && !(from.includes('/reward/') && !to.includes('/marketing/'))
  if (!mayOwe && !options.captured && available(m, from) < amount) refuse('INSUFFICIENT_FUNDS')
  let uses: Use[] = []
  if (from.includes('/customer/')) {
    if (options.purchasedOnly && !options.captured && purchasedFree(m, from) < amount) refuse('INSUFFICIENT_FUNDS')
    uses = takeLots(m, from, amount, options.purchasedOnly ?? false)
  }
  if (to.includes('/customer/')) {
    if (options.undoes) giveBack(m, options.undoes, amount)
    else m.lots.set(to, [...lotsOf(m, to), { id: ++m.lotCount, kind: from.includes('/reward/') ? 'granted' : (options.lot ?? 'purchased'), remaining: amount }])
  }
  bump(m, from, -amount)
  bump(m, to, amount)
  return uses
}

function giveBack(m: Model, ref: string, amount: bigint): void {
  const uses = m.uses.get(ref) ?? []
  if (uses.reduce((all, use) => all + use.amount, 0n) < amount) refuse('REFUND_TOO_LARGE')
  let left = amount
  for (const use of uses.toReversed()) {
    const part = min(use.amount, left)
    use.amount -= part
    use.lot.remaining += part
    left -= part
  }
}

/** A user's debt is paid from what is available. */
export function repay(m: Model, user: string, currency: string): void {
  const amount = min(-posted(m, owing(user, currency)), available(m, customer(user, currency)))
  if (amount > 0n) move(m, customer(user, currency), owing(user, currency), amount)
}

export function placeHold(
  m: Model,
  id: string,
  user: string,
  currency: string,
  amount: bigint,
  options: { strict: boolean; atLeast?: bigint; due: boolean },
): string {
  const name = customer(user, currency)
  const known = m.holds.get(id)
  if (known) {
    if (known.user !== user || known.currency !== currency || known.asked !== amount || known.strict !== options.strict) refuse('LEDGER_REF_REUSED')
    return known.status
  }
  const free = options.strict ? min(available(m, name), purchasedFree(m, name)) : available(m, name)
  const fits = free >= (options.atLeast ?? amount)
  m.holds.set(id, {
    user,
    currency,
    asked: amount,
    amount: fits ? min(free, amount) : amount,
    captured: 0n,
    status: fits ? 'pending' : 'refused',
    strict: options.strict,
    due: options.due,
  })
  return fits ? 'pending' : 'refused'
}

function pending(m: Model, id: string): HoldState {
  const hold = m.holds.get(id) ?? refuse('HOLD_UNKNOWN')
  return hold.status === 'pending' ? hold : refuse('HOLD_CLOSED')
}

export function close(m: Model, id: string, status: string): void {
  const hold = m.holds.get(id)!
  hold.status = status
  repay(m, hold.user, hold.currency)
}

export function voidHold(m: Model, id: string): string {
  const status = pending(m, id).captured > 0n ? 'posted' : 'voided'
  close(m, id, status)
  return status
}

export function sweep(m: Model): number {
  const due = [...m.holds].filter(([, hold]) => hold.status === 'pending' && hold.due)
  for (const [, hold] of due) hold.status = 'expired'
  for (const [, hold] of due) repay(m, hold.user, hold.currency)
  return due.length
}

export function resize(m: Model, id: string, delta: bigint): bigint {
  const hold = pending(m, id)
  const name = customer(hold.user, hold.currency)
  const free = hold.strict ? min(available(m, name), purchasedFree(m, name)) : available(m, name)
  const changed = delta > 0n ? (free >= delta ? delta : 0n) : delta < hold.captured - hold.amount ? hold.captured - hold.amount : delta
  hold.amount += changed
  if (changed < 0n) repay(m, hold.user, hold.currency)
  return changed
}

/** Never refuses: what the hold does not have comes from what is available, and then is owed; the caller repays after the last. */
export function charge(m: Model, id: string, amount: bigint, ref: string): { captured: bigint; fromAvailable: bigint; debt: bigint } {
  const hold = m.holds.get(id)!
  const name = customer(hold.user, hold.currency)
  const fromHold = hold.status === 'pending' ? min(amount, hold.amount - hold.captured) : 0n
  const extra = hold.strict ? 0n : min(available(m, name), amount - fromHold)
  const debt = amount - fromHold - extra
  hold.captured += fromHold
  const paid = fromHold + extra
  if (paid > 0n) {
    const uses = move(m, name, house('revenue', hold.currency), paid, { captured: true, purchasedOnly: hold.strict })
    m.uses.set(ref, [...(m.uses.get(ref) ?? []), ...uses])
  }
  if (debt > 0n) move(m, owing(hold.user, hold.currency), house('revenue', hold.currency), debt)
  return { captured: amount, fromAvailable: extra, debt }
}

export function capture(m: Model, id: string, amount: bigint, ref: string, options: { close: boolean; over: boolean }): void {
  const hold = pending(m, id)
  if (amount > hold.amount - hold.captured && !options.over) refuse('HOLD_EXCEEDED')
  charge(m, id, amount, ref)
  repay(m, hold.user, hold.currency)
  if (options.close) close(m, id, 'posted')
}
