import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { atLeast, minus, percentFee, plus, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { insertAuthStep, insertBill } from '../bills/data.ts'
import { forceMonth } from '../cards/data-months.ts'
import { addTotals, lockByRef } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookRefund, bookRefundReversal, bookSpent, standOf } from '../money/bookings.ts'
import { sweepClosed } from '../money/sweep.ts'
import { cardFees } from '../settings.ts'
import { armedAt, spendOfTask } from '../tasks/keep.ts'
import type { Issuer, IssuerTransaction, Merchant } from '../vendors/port.ts'
import { ceilingOf, feeAbroad, localOf, monthOf, nanoOf } from '../figures.ts'
import { converge, stopLosses } from './converge.ts'
import type { Converged } from './converge.ts'
import { authByRef, changeAuth } from './data.ts'
import { insertTransaction, isBooked } from './data-transactions.ts'
import type { Auth } from './data.ts'
import type { Transaction } from './data-transactions.ts'
import { showHeld } from './show-held.ts'

/** Books what the issuer posted, once for its reference, whatever state its card is in; then looks at its authorisation again. */
export async function bookTransaction(deps: Deps, issuer: Issuer, ref: string, known?: IssuerTransaction): Promise<Converged> {
  const truth = known ?? (await issuer.transaction(ref))
  const authRef = truth.authorizationRef
  if (authRef !== undefined && !(await authByRef(deps.db, issuer.name, authRef)) && (await converge(deps, issuer, authRef)) === 'unknown_card')
    return 'unknown_card'
  if (!(await isBooked(deps.db, issuer.name, ref)) && (await book(deps, issuer, truth)) === 'unknown_card') return 'unknown_card'
  return authRef === undefined ? 'done' : converge(deps, issuer, authRef)
}

async function book(deps: Deps, issuer: Issuer, truth: IssuerTransaction): Promise<Converged> {
  crashPoint('cards.before-book')
  return transact(deps.db, SYSTEM, async (tx) => {
    const card = await lockByRef(tx, issuer.name, truth.cardRef)
    if (!card) return 'unknown_card'
    const auth = truth.authorizationRef === undefined ? undefined : await authByRef(tx, issuer.name, truth.authorizationRef)
    const row: Transaction = {
      id: newId('ctx'),
      issuer: issuer.name,
      ref: truth.ref,
      card_id: card.id,
      authorization_id: auth?.id ?? null,
      kind: truth.kind,
      amount: nanoOf(truth.minor),
      fee: await feeOf(deps, truth),
      at: truth.at,
    }
    if (row.amount <= 0n || !(await insertTransaction(tx, row))) return 'done'
    if (truth.kind === 'capture') await bookCapture(deps, tx, card, auth, row, truth.merchant)
    else await bookBack(tx, card, row)
    await showTransaction(tx, card, truth, row)
    await stopLosses(deps, tx, card)
    if (card.state === 'closed' && truth.kind === 'refund') await tellLateRefund(tx, card, truth, await sweepClosed(tx, card))
    await tx.audit('transaction.booked', `card:${card.id}`, { ref: truth.ref, kind: truth.kind, amount: usd(row.amount), fee: usd(row.fee) })
    crashPoint('cards.book-before-commit')
    return 'done'
  })
}

/** A refund that is taken back gives its fee back: the same in whatever order the two come. */
async function feeOf(deps: Deps, truth: IssuerTransaction): Promise<Nano> {
  const amount = nanoOf(truth.minor)
  if (truth.kind === 'capture') return feeAbroad(deps, truth.merchant.country, amount)
  return percentFee(amount, (await deps.settings.get(cardFees)).refundPercent)
}

async function bookCapture(deps: Deps, tx: Tx, card: Card, auth: Auth | undefined, row: Transaction, merchant: Merchant): Promise<void> {
  // A capture by a task's merchant above its authorisation, or without one, is taken from the sum kept for the task.
  const beyond = minus(plus(row.amount, row.fee), auth?.held ?? 0n)
  const kept = beyond > 0n ? await armedAt(tx, card.id, merchant) : undefined
  if (kept) await spendOfTask(tx, kept, row.id, beyond)
  const taken = await bookSpent(tx, { cardId: card.id, ref: row.id, amount: row.amount, fee: row.fee, holdId: auth?.hold_id ?? null })
  await addTotals(tx, card.id, row.amount, 0n, 0n)
  if (!auth) return forceMonth(tx, card.id, monthOf(row.at), row.amount, await ceilingOf(deps, tx, card.user_id))
  const issuerHeld = atLeast(minus(auth.issuer_held, row.amount), 0n)
  const captured = plus(auth.captured, row.amount)
  const counted = plus(issuerHeld, captured)
  if (counted !== auth.counted) await forceMonth(tx, card.id, auth.month, minus(counted, auth.counted), await ceilingOf(deps, tx, card.user_id))
  const now = await changeAuth(tx, auth.id, { captured, counted, issuer_held: issuerHeld, held: minus(auth.held, taken), release_at: null }, 5)
  await insertAuthStep(tx, auth.id, 'captured', row.amount)
  await showHeld(deps, tx, card, now)
}

async function bookBack(tx: Tx, card: Card, row: Transaction): Promise<void> {
  if (row.kind === 'refund') await bookRefund(tx, card.id, row.id, row.amount, row.fee)
  else await bookRefundReversal(tx, card.id, row.id, row.amount, row.fee)
}

async function showTransaction(tx: Tx, card: Card, truth: IssuerTransaction, row: Transaction): Promise<void> {
  const isIn = row.kind === 'refund'
  // A purchase and a refund cost their fee; a refund that is taken back returns it.
  const fee = row.kind === 'refund_reversal' ? row.fee : minus(0n, row.fee)
  const local = localOf(truth.local)
  await insertBill(tx, {
    id: row.id,
    cardId: card.id,
    userId: card.user_id,
    at: row.at,
    kind: row.kind === 'capture' ? 'purchase' : row.kind,
    state: 'success',
    amount: isIn ? row.amount : minus(0n, row.amount),
    fee,
    ...(row.fee > 0n ? { feeKind: row.kind === 'capture' ? ('abroad' as const) : ('refund' as const) } : {}),
    merchant: truth.merchant,
    ...(local ? { local } : {}),
    after: await standOf(tx, card.id),
    authorizationId: row.authorization_id,
    transactionId: row.id,
  })
}

async function tellLateRefund(tx: Tx, card: Card, truth: IssuerTransaction, swept: Nano): Promise<void> {
  if (swept <= 0n) return
  const news = {
    cardId: card.id,
    userId: card.user_id,
    last4: card.last4,
    merchant: truth.merchant.name,
    amount: usd(swept),
    newCardId: card.replaced_by ?? '',
  }
  await tx.emit('card.refund_to_closed', news)
}
