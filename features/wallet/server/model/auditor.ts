/**
 * The ledger as a few pure functions over maps: the tests compare the database with it (money.md L1). It shares no code with the ledger. A
 * refusal happens before any change. Amounts are bigint; an account is named `owner/kind/currency`.
 */
export interface Lot {
  id: number
  kind: 'purchased' | 'granted'
  remaining: bigint
}
export interface ModelHold {
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

export interface LedgerModel {
  posted: Map<string, bigint>
  lots: Map<string, Lot[]>
  holds: Map<string, ModelHold>
  /** Amounts that a spending took from lots, less refunds; by reference. */
  uses: Map<string, Use[]>
  lotCount: number
}

export class LedgerModelRefusal extends Error {}
const refuse = (name: string): never => {
  throw new LedgerModelRefusal(name)
}

export const createLedgerModel = (): LedgerModel => ({ posted: new Map(), lots: new Map(), holds: new Map(), uses: new Map(), lotCount: 0 })

export const customerKey = (user: string, currency: string) => `user:${user}/customer/${currency}`
export const receivableKey = (user: string, currency: string) => `user:${user}/receivable/${currency}`
export const rewardKey = (user: string, currency: string) => `user:${user}/reward/${currency}`
export const systemKey = (kind: string, currency: string) => `system/${kind}/${currency}`
const mayGoNegative = (name: string) => !/\/(customer|card|deposit|suspense|in_transit)\//.test(name)
const min = (...values: bigint[]) => values.reduce((a, b) => (b < a ? b : a))

export const getPosted = (m: LedgerModel, name: string) => m.posted.get(name) ?? 0n
const openHolds = (m: LedgerModel, name: string) => [...m.holds.values()].filter((h) => h.status === 'pending' && customerKey(h.user, h.currency) === name)
export const getHeld = (m: LedgerModel, name: string) => openHolds(m, name).reduce((all, h) => all + h.amount - h.captured, 0n)
export const getAvailable = (m: LedgerModel, name: string) => getPosted(m, name) - getHeld(m, name)
export const getLots = (m: LedgerModel, name: string) => m.lots.get(name) ?? []
export const getGranted = (m: LedgerModel, name: string) =>
  getLots(m, name)
    .filter((l) => l.kind === 'granted')
    .reduce((all, l) => all + l.remaining, 0n)
const sumStrictHeld = (m: LedgerModel, name: string) =>
  openHolds(m, name)
    .filter((h) => h.strict)
    .reduce((all, h) => all + h.amount - h.captured, 0n)
const sumPurchasedFree = (m: LedgerModel, name: string) => getPosted(m, name) - getGranted(m, name) - sumStrictHeld(m, name)

const addToPosted = (m: LedgerModel, name: string, by: bigint) => {
  m.posted.set(name, getPosted(m, name) + by)
}

function takeLots(m: LedgerModel, name: string, { amount, purchasedOnly }: { readonly amount: bigint; readonly purchasedOnly: boolean }): Use[] {
  const inOrder = getLots(m, name)
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
const hasDebt = (m: LedgerModel, name: string): boolean => !name.startsWith('system/') && getPosted(m, name.replace(/\/\w+\/(\w+)$/, '/receivable/$1')) < 0n

/** Applies a movement. With `captured` the money was held, so the available balance does not limit it. */
export function applyMovement(
  m: LedgerModel,
  from: string,
  {
    to,
    amount,
    options = {},
  }: {
    readonly to: string
    readonly amount: bigint
    readonly options?: { lot?: 'purchased' | 'granted'; purchasedOnly?: boolean; captured?: boolean; undoes?: string }
  },
): Use[] {
  if (amount <= 0n) refuse('BAD_AMOUNT')
  if (to.includes('/in_transit/') && hasDebt(m, from)) refuse('DEBT_FIRST')
  // A reward account goes below zero only by clawbacks.
  const mayOwe = mayGoNegative(from) && !(from.includes('/reward/') && !to.includes('/marketing/'))
  if (!mayOwe && !options.captured && getAvailable(m, from) < amount) refuse('INSUFFICIENT_FUNDS')
  let uses: Use[] = []
  if (from.includes('/customer/')) {
    if (options.purchasedOnly && !options.captured && sumPurchasedFree(m, from) < amount) refuse('INSUFFICIENT_FUNDS')
    uses = takeLots(m, from, { amount, purchasedOnly: options.purchasedOnly ?? false })
  }
  if (to.includes('/customer/')) {
    if (options.undoes) returnToLots(m, options.undoes, amount)
    else
      m.lots.set(to, [...getLots(m, to), { id: ++m.lotCount, kind: from.includes('/reward/') ? 'granted' : (options.lot ?? 'purchased'), remaining: amount }])
  }
  addToPosted(m, from, -amount)
  addToPosted(m, to, amount)
  return uses
}

function returnToLots(m: LedgerModel, ref: string, amount: bigint): void {
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

/** Pays a user's debt from the available balance. */
export function repayDebt(m: LedgerModel, user: string, currency: string): void {
  const amount = min(-getPosted(m, receivableKey(user, currency)), getAvailable(m, customerKey(user, currency)))
  if (amount > 0n) applyMovement(m, customerKey(user, currency), { to: receivableKey(user, currency), amount })
}

export function placeModelHold(
  m: LedgerModel,
  id: string,
  {
    user,
    currency,
    amount,
    options,
  }: { readonly user: string; readonly currency: string; readonly amount: bigint; readonly options: { strict: boolean; atLeast?: bigint; due: boolean } },
): string {
  const name = customerKey(user, currency)
  const known = m.holds.get(id)
  if (known) {
    if (known.user !== user || known.currency !== currency || known.asked !== amount || known.strict !== options.strict) refuse('LEDGER_REF_REUSED')
    return known.status
  }
  const free = options.strict ? min(getAvailable(m, name), sumPurchasedFree(m, name)) : getAvailable(m, name)
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

function requirePendingHold(m: LedgerModel, id: string): ModelHold {
  const hold = m.holds.get(id) ?? refuse('HOLD_UNKNOWN')
  return hold.status === 'pending' ? hold : refuse('HOLD_CLOSED')
}

export function closeModelHold(m: LedgerModel, id: string, status: string): void {
  const hold = m.holds.get(id)!
  hold.status = status
  repayDebt(m, hold.user, hold.currency)
}

export function voidModelHold(m: LedgerModel, id: string): string {
  const status = requirePendingHold(m, id).captured > 0n ? 'posted' : 'voided'
  closeModelHold(m, id, status)
  return status
}

export function expireModelHolds(m: LedgerModel): number {
  const due = [...m.holds].filter(([, hold]) => hold.status === 'pending' && hold.due)
  for (const [, hold] of due) hold.status = 'expired'
  for (const [, hold] of due) repayDebt(m, hold.user, hold.currency)
  return due.length
}

export function resizeModelHold(m: LedgerModel, id: string, delta: bigint): bigint {
  const hold = requirePendingHold(m, id)
  const name = customerKey(hold.user, hold.currency)
  const free = hold.strict ? min(getAvailable(m, name), sumPurchasedFree(m, name)) : getAvailable(m, name)
  const changed = delta > 0n ? (free >= delta ? delta : 0n) : delta < hold.captured - hold.amount ? hold.captured - hold.amount : delta
  hold.amount += changed
  if (changed < 0n) repayDebt(m, hold.user, hold.currency)
  return changed
}

/** Never refuses: a shortfall of the hold comes from the available balance, then becomes debt; the caller repays after the last one. */
export function chargeModelHold(
  m: LedgerModel,
  id: string,
  { amount, ref }: { readonly amount: bigint; readonly ref: string },
): { captured: bigint; fromAvailable: bigint; debt: bigint } {
  const hold = m.holds.get(id)!
  const name = customerKey(hold.user, hold.currency)
  const fromHold = hold.status === 'pending' ? min(amount, hold.amount - hold.captured) : 0n
  const extra = hold.strict ? 0n : min(getAvailable(m, name), amount - fromHold)
  const debt = amount - fromHold - extra
  hold.captured += fromHold
  const paid = fromHold + extra
  if (paid > 0n) {
    const uses = applyMovement(m, name, { to: systemKey('revenue', hold.currency), amount: paid, options: { captured: true, purchasedOnly: hold.strict } })
    m.uses.set(ref, [...(m.uses.get(ref) ?? []), ...uses])
  }
  if (debt > 0n) applyMovement(m, receivableKey(hold.user, hold.currency), { to: systemKey('revenue', hold.currency), amount: debt })
  return { captured: amount, fromAvailable: extra, debt }
}

export function captureModelHold(
  m: LedgerModel,
  id: string,
  { amount, ref, options }: { readonly amount: bigint; readonly ref: string; readonly options: { close: boolean; over: boolean } },
): void {
  const hold = requirePendingHold(m, id)
  if (amount > hold.amount - hold.captured && !options.over) refuse('HOLD_EXCEEDED')
  chargeModelHold(m, id, { amount, ref })
  repayDebt(m, hold.user, hold.currency)
  if (options.close) closeModelHold(m, id, 'posted')
}
