import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { maxNano, subtractNano, computePercentFee, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { insertAuthStep, insertBill } from '../bills/data.ts'
import { addForcedSpending } from '../cards/data-months.ts'
import { addCardTotals, lockCardByRef } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { bookRefund, bookRefundReversal, bookCardSpending, readNetCardBalance } from '../money/bookings.ts'
import { sweepClosed } from '../money/sweep.ts'
import { cardFees } from '../settings.ts'
import { findArmedHold, spendTaskHold } from '../tasks/task-hold.ts'
import type { Issuer, IssuerTransaction, CardMerchant } from '../vendors/port.ts'
import { readSpendingLimit, computeForeignFee, toLocalAmount, toShanghaiMonth, centsToNano } from '../figures.ts'
import { convergeAuthorization, stopLosses } from './converge.ts'
import type { ConvergeResult } from './converge.ts'
import { selectAuthByRef, changeAuth } from './data.ts'
import { insertTransaction, isTransactionBooked } from './data-transactions.ts'
import type { Auth } from './data.ts'
import type { CardTransaction } from './data-transactions.ts'
import { upsertAuthBill } from './auth-bill.ts'

/** Books a transaction posted by the issuer once per reference, whatever the card's state; then updates its authorisation. */
export async function bookTransaction(
  deps: Deps,
  issuer: Issuer,
  { ref, known }: { readonly ref: string; readonly known?: IssuerTransaction },
): Promise<ConvergeResult> {
  const truth = known ?? (await issuer.transaction(ref))
  const authRef = truth.authorizationRef
  if (
    authRef !== undefined &&
    !(await selectAuthByRef(deps.db, issuer.name, authRef)) &&
    (await convergeAuthorization(deps, issuer, authRef)) === 'unknown_card'
  )
    return 'unknown_card'
  if (!(await isTransactionBooked(deps.db, issuer.name, ref)) && (await book(deps, issuer, truth)) === 'unknown_card') return 'unknown_card'
  return authRef === undefined ? 'done' : convergeAuthorization(deps, issuer, authRef)
}

async function book(deps: Deps, issuer: Issuer, truth: IssuerTransaction): Promise<ConvergeResult> {
  crashPoint('cards.before-book')
  return transact(deps.db, SYSTEM, async (tx) => {
    const card = await lockCardByRef(tx, issuer.name, truth.cardRef)
    if (!card) return 'unknown_card'
    const auth = truth.authorizationRef === undefined ? undefined : await selectAuthByRef(tx, issuer.name, truth.authorizationRef)
    const row: CardTransaction = {
      id: createId('ctx'),
      issuer: issuer.name,
      ref: truth.ref,
      cardId: card.id,
      authorizationId: auth?.id ?? null,
      kind: truth.kind,
      amount: centsToNano(truth.minor),
      fee: await computeFee(deps, truth),
      at: truth.at,
    }
    if (row.amount <= 0n || !(await insertTransaction(tx, row))) return 'done'
    if (truth.kind === 'capture') await bookCapture(deps, tx, { card, auth, row, merchant: truth.merchant })
    else await bookRefundRow(tx, card, row)
    await upsertTransactionBill(tx, card, { truth, row })
    await stopLosses(deps, tx, card)
    if (card.state === 'closed' && truth.kind === 'refund') await notifyLateRefund(tx, card, { truth, swept: await sweepClosed(tx, card) })
    await tx.audit('transaction.booked', `card:${card.id}`, { ref: truth.ref, kind: truth.kind, amount: formatUsd(row.amount), fee: formatUsd(row.fee) })
    crashPoint('cards.book-before-commit')
    return 'done'
  })
}

/** Computes the fee of a transaction. A reversed refund returns its fee, regardless of the order in which the two arrive. */
async function computeFee(deps: Deps, truth: IssuerTransaction): Promise<Nano> {
  const amount = centsToNano(truth.minor)
  if (truth.kind === 'capture') return computeForeignFee(deps, truth.merchant.country, amount)
  return computePercentFee(amount, (await deps.settings.get(cardFees)).refundPercent)
}

async function bookCapture(
  deps: Deps,
  tx: Tx,
  { card, auth, row, merchant }: { readonly card: Card; readonly auth: Auth | undefined; readonly row: CardTransaction; readonly merchant: CardMerchant },
): Promise<void> {
  // A capture by a task's merchant above its authorisation, or without one, is taken from the sum kept for the task.
  const beyond = subtractNano(addNano(row.amount, row.fee), auth?.held ?? 0n)
  const kept = beyond > 0n ? await findArmedHold(tx, card.id, merchant) : undefined
  if (kept) await spendTaskHold(tx, kept, { ref: row.id, wanted: beyond })
  const taken = await bookCardSpending(tx, { cardId: card.id, ref: row.id, amount: row.amount, fee: row.fee, holdId: auth?.holdId ?? null })
  await addCardTotals(tx, card.id, { spent: row.amount, recharged: 0n, uncovered: 0n })
  if (!auth)
    return addForcedSpending(tx, card.id, { month: toShanghaiMonth(row.at), delta: row.amount, ceiling: await readSpendingLimit(deps, tx, card.userId) })
  const issuerHeld = maxNano(subtractNano(auth.issuerHeld, row.amount), 0n)
  const captured = addNano(auth.captured, row.amount)
  const counted = addNano(issuerHeld, captured)
  if (counted !== auth.counted)
    await addForcedSpending(tx, card.id, {
      month: auth.month,
      delta: subtractNano(counted, auth.counted),
      ceiling: await readSpendingLimit(deps, tx, card.userId),
    })
  const now = await changeAuth(tx, auth.id, { change: { captured, counted, issuerHeld, held: subtractNano(auth.held, taken), releaseAt: null }, seconds: 5 })
  await insertAuthStep(tx, auth.id, { event: 'captured', amount: row.amount })
  await upsertAuthBill(deps, tx, { card, auth: now })
}

async function bookRefundRow(tx: Tx, card: Card, row: CardTransaction): Promise<void> {
  if (row.kind === 'refund') await bookRefund(tx, card.id, { ref: row.id, amount: row.amount, fee: row.fee })
  else await bookRefundReversal(tx, card.id, { ref: row.id, amount: row.amount, fee: row.fee })
}

async function upsertTransactionBill(tx: Tx, card: Card, { truth, row }: { readonly truth: IssuerTransaction; readonly row: CardTransaction }): Promise<void> {
  const isIn = row.kind === 'refund'
  // A purchase and a refund cost their fee; a refund that is taken back returns it.
  const fee = row.kind === 'refund_reversal' ? row.fee : subtractNano(0n, row.fee)
  const local = toLocalAmount(truth.local)
  await insertBill(tx, {
    id: row.id,
    cardId: card.id,
    userId: card.userId,
    at: row.at,
    kind: row.kind === 'capture' ? 'purchase' : row.kind,
    state: 'success',
    amount: isIn ? row.amount : subtractNano(0n, row.amount),
    fee,
    ...(row.fee > 0n ? { feeKind: row.kind === 'capture' ? ('abroad' as const) : ('refund' as const) } : {}),
    merchant: truth.merchant,
    ...(local ? { local } : {}),
    after: await readNetCardBalance(tx, card.id),
    authorizationId: row.authorizationId,
    transactionId: row.id,
  })
}

async function notifyLateRefund(tx: Tx, card: Card, { truth, swept }: { readonly truth: IssuerTransaction; readonly swept: Nano }): Promise<void> {
  if (swept <= 0n) return
  const news = {
    cardId: card.id,
    userId: card.userId,
    last4: card.last4,
    merchant: truth.merchant.name,
    amount: formatUsd(swept),
    newCardId: card.replacedBy ?? '',
  }
  await tx.emit('card.refund_to_closed', news)
}
