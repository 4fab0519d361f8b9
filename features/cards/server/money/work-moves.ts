import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { clearWait, noteQuestion, noteWait } from '#platform/server/suppliers/waits.ts'
import { outcomeOf, SupplierError, unknown } from '#platform/shared/supplier-error.ts'
import type { RetryPlan } from '#platform/shared/supplier-retry.ts'
import { minus, usd } from '#platform/shared/money.ts'
import { voidHold } from '#features/wallet/server/door.ts'
import { minorOf } from '../figures.ts'
import { changeBill, insertBill } from '../bills/data.ts'
import { addTotals, cardById, changeCard, lockCard, nudgeCard } from '../cards/data.ts'
import { backoffSeconds } from '../backoff.ts'
import { issuerNamed } from '../issuers.ts'
import type { LoadFact } from '../vendors/port.ts'
import { bookLoaded, bookRechargeBack, bookToBalance, bookUnloaded, standOf } from './bookings.ts'
import { advanceMove, giveBack, moveById, scheduleMove, takeDueMoves } from './data.ts'
import type { Move } from './data.ts'

const BATCH = 20

/** Job: everything that is due, one by one. */
export async function workMoves(deps: Deps): Promise<void> {
  for (const id of await takeDueMoves(deps.db, BATCH)) {
    await workMove(deps, id).catch((error: unknown) => deps.log.error({ err: error, moveId: id }, 'money of a card could not be moved on'))
  }
}

/** Moves on by what is known. Safe to call at any time, by any number of processes: the issuer is asked under one key, and each end is booked once. */
export async function workMove(deps: Deps, id: string): Promise<void> {
  for (;;) {
    const move = await moveById(deps.db, id)
    if (!move || move.state === 'done' || move.state === 'failed') return
    const fact = await ask(deps, move)
    if (!isEnd(fact)) return scheduleMove(deps.db, id, Math.max(backoffSeconds(move.checks), fact.needsOperator ? fact.seconds : 0))
    await clearWait(deps.db, waitOf(move).subject)
    await transact(deps.db, SYSTEM, async (tx) => {
      for (const card of [move.from_card, move.to_card]) if (card !== null) await lockCard(tx, card)
      await (move.state === 'unloading' ? unloaded(tx, move, fact) : loaded(tx, move, fact))
      await tx.audit(`card.move_${fact.status}`, `move:${id}`, {
        kind: move.kind,
        amount: usd(move.amount),
        ...('reason' in fact ? { reason: fact.reason } : {}),
      })
      crashPoint('cards.move-before-commit')
    })
  }
}

type Ended = Exclude<LoadFact, { readonly status: 'pending' | 'not_found' }>
const isEnd = (fact: Ended | RetryPlan): fact is Ended => 'status' in fact

const waitOf = (move: Move) => ({
  ...{ subject: `move:${move.id}`, port: 'cards.issuer', supplier: 'issuer', operation: move.state === 'unloading' ? 'unload' : 'load' },
})

/**
 * Asked before it is done again, always under the one key: money never moves twice. A refusal ends it, and so does a day in which it surely
 * never began; what may have moved is asked about, and after a day the operators look.
 */
async function ask(deps: Deps, move: Move): Promise<Ended | RetryPlan> {
  const isOff = move.state === 'unloading'
  const card = (await cardById(deps.db, isOff ? move.from_card! : move.to_card!))!
  const issuer = issuerNamed(deps, card.issuer)
  const call = { ...waitOf(move), supplier: card.issuer }
  if (!issuer || card.card_ref === null) {
    countEvent('cards.issuer_gone')
    return noteQuestion(deps.db, call, unknown('not_connected'))
  }
  const key = `${move.id}:${isOff ? 'off' : 'on'}`
  const minor = minorOf(isOff ? move.amount : minus(move.amount, move.fee))
  const doubt = (why: SupplierError, note: typeof noteWait) => {
    countEvent('cards.load_unknown')
    deps.log.warn({ moveId: move.id, why: why.message }, 'an issuer gave no clear answer about money of a card')
    return note(deps.db, call, why)
  }
  const known = await issuer.loadByKey(key).catch(outcomeOf)
  if (known instanceof SupplierError) return doubt(known, noteQuestion)
  if (known.status === 'pending') return noteWait(deps.db, call, unknown('pending'))
  if (known.status !== 'not_found') return known as Ended
  crashPoint('cards.load-before-call')
  const fact = await issuer.load({ key, cardRef: card.card_ref, minor, direction: isOff ? 'unload' : 'load' }).catch(outcomeOf)
  crashPoint('cards.load-after-call')
  if (!(fact instanceof SupplierError))
    return fact.status === 'pending' || fact.status === 'not_found' ? noteWait(deps.db, call, unknown('pending')) : (fact as Ended)
  if (fact.kind === 'rejected') return { status: 'refused', reason: fact.reason }
  const plan = await doubt(fact, noteWait)
  return plan.isOver ? { status: 'refused', reason: 'issuer_away' } : plan
}

async function unloaded(tx: Tx, move: Move, fact: LoadFact): Promise<void> {
  const { id, kind } = move
  if (fact.status === 'refused') {
    if (!(await advanceMove(tx, id, 'unloading', 'failed', fact.reason))) return
    await voidHold(tx, id)
    await changeBill(tx, `${id}o`, { state: 'fail', reason: 'refused' })
    await nudgeCard(tx, move.from_card!, 60)
    return void (await tx.emit('card.move_failed', newsOf(move)))
  }
  if (!(await advanceMove(tx, id, 'unloading', kind === 'moved' ? 'loading' : 'done'))) return
  const parts = kind === 'moved' ? [] : await giveBack(tx, move.user_id, move.amount)
  await bookUnloaded(tx, move)
  if (kind !== 'moved') await bookToBalance(tx, move, parts)
  await changeBill(tx, `${id}o`, { state: 'success', after: await standOf(tx, move.from_card!), at: move.now })
  await nudgeCard(tx, move.from_card!, 0)
  if (kind === 'withdrawal') await tx.emit('card.withdrawn', newsOf(move))
}

async function loaded(tx: Tx, move: Move, fact: LoadFact): Promise<void> {
  const { id, kind } = move
  if (fact.status === 'refused') {
    if (!(await advanceMove(tx, id, 'loading', 'failed', fact.reason))) return
    if (kind === 'recharge') await bookRechargeBack(tx, move)
    else await bookToBalance(tx, move, await giveBack(tx, move.user_id, move.amount))
    await changeBill(tx, `${id}i`, { state: 'fail', reason: 'refused' })
    return void (await tx.emit('card.recharge_failed', newsOf(move)))
  }
  if (!(await advanceMove(tx, id, 'loading', 'done'))) return
  await bookLoaded(tx, move)
  const to = await lockCard(tx, move.to_card!)
  if (!to.activated) await changeCard(tx, to, { activated: true })
  if (kind === 'recharge') await addTotals(tx, to.id, 0n, move.amount, 0n)
  const after = await standOf(tx, to.id)
  await insertBill(tx, inBill(move, 'success'))
  await changeBill(tx, `${id}i`, { state: 'success', after, at: move.now })
  // On a card that closed meanwhile it is given back at once.
  await nudgeCard(tx, to.id, 0)
  if (kind === 'recharge') await tx.emit('card.recharged', newsOf(move))
}

const newsOf = ({ id, user_id: userId, from_card: from, to_card: to, amount, fee, kind, order_no: orderNo }: Move) => ({
  moveId: id,
  userId,
  cardId: to ?? from ?? '',
  amount: usd(amount),
  fee: usd(fee),
  kind,
  orderNo: orderNo ?? '',
})

/** The row of the card that money goes to. */
export function inBill(move: Move, state: 'processing' | 'success') {
  return {
    id: `${move.id}i`,
    cardId: move.to_card!,
    userId: move.user_id,
    at: move.now,
    kind: move.kind === 'recharge' ? ('recharge' as const) : ('moved_in' as const),
    state,
    amount: move.amount,
    fee: minus(0n, move.fee),
    ...(move.fee > 0n ? { feeKind: 'activation' as const } : {}),
    method: move.kind === 'recharge' ? String(move.channel_type ?? '') : '',
    orderNo: move.order_no,
    moveId: move.id,
  }
}

/** The row of the card that it leaves. */
export function outBill(move: Move) {
  return {
    id: `${move.id}o`,
    cardId: move.from_card!,
    userId: move.user_id,
    at: move.now,
    kind: move.kind === 'moved' ? ('moved_out' as const) : (move.kind as 'withdrawal' | 'returned'),
    state: 'processing' as const,
    amount: minus(0n, move.amount),
    moveId: move.id,
  }
}
