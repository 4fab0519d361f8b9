import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { clearWait, recordFailedQuery, recordWait } from '#platform/server/suppliers/waits.ts'
import { asSupplierError, SupplierError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { RetryPlan } from '#platform/shared/suppliers/supplier-retry.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { voidHold } from '#features/wallet/server/door.ts'
import { nanoToCents } from '../figures.ts'
import { changeBill, insertBill } from '../bills/data.ts'
import { addCardTotals, selectCardById, changeCard, lockCard, nudgeCard } from '../cards/data.ts'
import { computeBackoffSeconds } from '../backoff.ts'
import { findIssuer } from '../vendors/index.ts'
import type { LoadFact } from '../vendors/port.ts'
import { bookRechargeLoaded, bookRechargeReturned, bookCardToBalance, bookWithdrawalUnloaded, readNetCardBalance } from './bookings.ts'
import { advanceMove, returnToRecharges, selectMoveById, scheduleMove, takeDueMoves } from './data.ts'
import type { Move } from './data.ts'

const BATCH = 20

/** Job: works off all due transfers, one by one. */
export async function workMoves(deps: Deps): Promise<void> {
  for (const id of await takeDueMoves(deps.db, BATCH)) {
    await workMove(deps, id).catch((error: unknown) => deps.log.error({ err: error, moveId: id }, 'money of a card could not be moved on'))
  }
}

/**
 * Advances a transfer as far as possible now. Safe to call at any time, by any number of processes: issuer calls share one key, and each
 * outcome is booked once.
 */
export async function workMove(deps: Deps, id: string): Promise<void> {
  for (;;) {
    const move = await selectMoveById(deps.db, id)
    if (!move || move.state === 'done' || move.state === 'failed') return
    const fact = await queryOrRequestMove(deps, move)
    if (!isMoveOutcome(fact)) return scheduleMove(deps.db, id, Math.max(computeBackoffSeconds(move.checks), fact.needsOperator ? fact.seconds : 0))
    await clearWait(deps.db, buildWait(move).subject)
    await transact(deps.db, SYSTEM, async (tx) => {
      for (const card of [move.fromCard, move.toCard]) if (card !== null) await lockCard(tx, card)
      await (move.state === 'unloading' ? applyUnload(tx, move, fact) : applyLoad(tx, move, fact))
      await tx.audit(`card.move_${fact.status}`, `move:${id}`, {
        kind: move.kind,
        amount: formatUsd(move.amount),
        ...('reason' in fact ? { reason: fact.reason } : {}),
      })
      crashPoint('cards.move-before-commit')
    })
  }
}

type MoveOutcome = Exclude<LoadFact, { readonly status: 'pending' | 'not_found' }>
const isMoveOutcome = (fact: MoveOutcome | RetryPlan): fact is MoveOutcome => 'status' in fact

const buildWait = (move: Move) => ({
  ...{ subject: `move:${move.id}`, port: 'cards.issuer', supplier: 'issuer', operation: move.state === 'unloading' ? 'unload' : 'load' },
})

/**
 * Queries a transfer before each retry, always under one key: money never moves twice. It ends with a refusal, or after a day if it
 * certainly never began; a transfer that may have happened is queried, and after a day operators check it.
 */
async function queryOrRequestMove(deps: Deps, move: Move): Promise<MoveOutcome | RetryPlan> {
  const isOff = move.state === 'unloading'
  const card = (await selectCardById(deps.db, isOff ? move.fromCard! : move.toCard!))!
  const issuer = findIssuer(deps, card.issuer)
  const call = { ...buildWait(move), supplier: card.issuer }
  if (!issuer || card.cardRef === null) {
    countEvent('cards.issuer_gone')
    return recordFailedQuery(deps.db, call, unknownError('not_connected'))
  }
  const key = `${move.id}:${isOff ? 'off' : 'on'}`
  const minor = nanoToCents(isOff ? move.amount : subtractNano(move.amount, move.fee))
  const doubt = (why: SupplierError, note: typeof recordWait) => {
    countEvent('cards.load_unknown')
    deps.log.warn({ moveId: move.id, why: why.message }, 'an issuer gave no clear answer about money of a card')
    return note(deps.db, call, why)
  }
  const known = await issuer.loadByKey(key).catch(asSupplierError)
  if (known instanceof SupplierError) return doubt(known, recordFailedQuery)
  if (known.status === 'pending') return recordWait(deps.db, call, unknownError('pending'))
  if (known.status !== 'not_found') return known as MoveOutcome
  crashPoint('cards.load-before-call')
  const fact = await issuer.load({ key, cardRef: card.cardRef, minor, direction: isOff ? 'unload' : 'load' }).catch(asSupplierError)
  crashPoint('cards.load-after-call')
  if (!(fact instanceof SupplierError))
    return fact.status === 'pending' || fact.status === 'not_found' ? recordWait(deps.db, call, unknownError('pending')) : (fact as MoveOutcome)
  if (fact.kind === 'rejected') return { status: 'refused', reason: fact.reason }
  const plan = await doubt(fact, recordWait)
  return plan.isOver ? { status: 'refused', reason: 'issuer_away' } : plan
}

async function applyUnload(tx: Tx, move: Move, fact: LoadFact): Promise<void> {
  const { id, kind } = move
  if (fact.status === 'refused') {
    if (!(await advanceMove(tx, id, { from: 'unloading', to: 'failed', reason: fact.reason }))) return
    await voidHold(tx, id)
    await changeBill(tx, `${id}o`, { state: 'fail', reason: 'refused' })
    await nudgeCard(tx, move.fromCard!, 60)
    return void (await tx.emit('card.move_failed', buildMoveEvent(move)))
  }
  if (!(await advanceMove(tx, id, { from: 'unloading', to: kind === 'moved' ? 'loading' : 'done' }))) return
  const parts = kind === 'moved' ? [] : await returnToRecharges(tx, move.userId, move.amount)
  await bookWithdrawalUnloaded(tx, move)
  if (kind !== 'moved') await bookCardToBalance(tx, move, parts)
  await changeBill(tx, `${id}o`, { state: 'success', after: await readNetCardBalance(tx, move.fromCard!), at: move.now })
  await nudgeCard(tx, move.fromCard!, 0)
  if (kind === 'withdrawal') await tx.emit('card.withdrawn', buildMoveEvent(move))
}

async function applyLoad(tx: Tx, move: Move, fact: LoadFact): Promise<void> {
  const { id, kind } = move
  if (fact.status === 'refused') {
    if (!(await advanceMove(tx, id, { from: 'loading', to: 'failed', reason: fact.reason }))) return
    if (kind === 'recharge') await bookRechargeReturned(tx, move)
    else await bookCardToBalance(tx, move, await returnToRecharges(tx, move.userId, move.amount))
    await changeBill(tx, `${id}i`, { state: 'fail', reason: 'refused' })
    return void (await tx.emit('card.recharge_failed', buildMoveEvent(move)))
  }
  if (!(await advanceMove(tx, id, { from: 'loading', to: 'done' }))) return
  await bookRechargeLoaded(tx, move)
  const to = await lockCard(tx, move.toCard!)
  if (!to.activated) await changeCard(tx, to, { change: { activated: true } })
  if (kind === 'recharge') await addCardTotals(tx, to.id, { spent: 0n, recharged: move.amount, uncovered: 0n })
  const after = await readNetCardBalance(tx, to.id)
  await insertBill(tx, buildIncomingBill(move, 'success'))
  await changeBill(tx, `${id}i`, { state: 'success', after, at: move.now })
  // A card closed in the meantime returns the money at once.
  await nudgeCard(tx, to.id, 0)
  if (kind === 'recharge') await tx.emit('card.recharged', buildMoveEvent(move))
}

const buildMoveEvent = ({ id, userId, fromCard: from, toCard: to, amount, fee, kind, orderNo }: Move) => ({
  moveId: id,
  userId,
  cardId: to ?? from ?? '',
  amount: formatUsd(amount),
  fee: formatUsd(fee),
  kind,
  orderNo: orderNo ?? '',
})

/** Bill row of the card that receives the money. */
export function buildIncomingBill(move: Move, state: 'processing' | 'success') {
  return {
    id: `${move.id}i`,
    cardId: move.toCard!,
    userId: move.userId,
    at: move.now,
    kind: move.kind === 'recharge' ? ('recharge' as const) : ('moved_in' as const),
    state,
    amount: move.amount,
    fee: subtractNano(0n, move.fee),
    ...(move.fee > 0n ? { feeKind: 'activation' as const } : {}),
    method: move.kind === 'recharge' ? String(move.channelType ?? '') : '',
    orderNo: move.orderNo,
    moveId: move.id,
  }
}

/** Bill row of the card that the money leaves. */
export function buildOutgoingBill(move: Move) {
  return {
    id: `${move.id}o`,
    cardId: move.fromCard!,
    userId: move.userId,
    at: move.now,
    kind: move.kind === 'moved' ? ('moved_out' as const) : (move.kind as 'withdrawal' | 'returned'),
    state: 'processing' as const,
    amount: subtractNano(0n, move.amount),
    moveId: move.id,
  }
}
