import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { clearWait, recordFailedQuery, recordWait } from '#platform/server/suppliers/waits.ts'
import { asSupplierError, SupplierError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { selectInactiveUsers, arePayoutsFrozen } from '#features/account/server/door.ts'
import { postTransaction, systemAccount, settleDebts, captureHold, readRewardBalance, voidHold } from '#features/wallet/server/door.ts'
import { createSupplierTools } from '#platform/server/suppliers/tools.ts'
import { unsealAccount } from '../account-seal.ts'
import { moveWithdrawal, scheduleWithdrawal, takeDueWithdrawals, selectWithdrawalByNo, markPayoutCall, markTransferSent } from '../../set-aside/data.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'
import { lockWithdrawal, selectWithdrawalParts } from '../../set-aside/data-parts.ts'
import { maintainHold } from '../hold/hold.ts'
import { mailWithdrawalEvent } from '../mails.ts'
import { isAwaitingRefunds, payDebtFromHold } from '../../set-aside/parts.ts'
import { releaseWithdrawal, returnTransfer, toFundedWithdrawal, requireRewardSource } from '../reward-source.ts'
import { payoutRegistry } from '../vendors/index.ts'
import { PAYOUT_REFUSALS } from '../vendors/port.ts'
import type { Payout, PayoutFact } from '../vendors/port.ts'
import { formatUsd, toMinorUnitsDown, floorToCents } from '#platform/shared/money.ts'
import { Failure } from '#platform/shared/errors.ts'
import { LIVE_REFUNDS } from '../../../words.ts'
import { startParts } from '../channel-first.ts'
import { isOnHold } from '../hold/on-hold.ts'

const FIRST_SECONDS = 5

/** Starts a withdrawal, once: creates the refunds of its source orders, in the order of their payments. */
export async function startChannelRefunds(deps: Deps, row: WithdrawalRow, payout: Payout): Promise<WithdrawalRow | undefined> {
  const no = row.withdrawalNo
  crashPoint('payments.payout-before-leave')
  return handleExpiredHold(deps, row, () =>
    transact(deps.db, SYSTEM, async (tx) => {
      const moved = await moveWithdrawal(tx, no, { from: [row.state], to: 'in_transit', more: { vendor: payout.name, seconds: FIRST_SECONDS } })
      if (!moved) return undefined
      if (moved.source === 'balance') await startParts(deps, tx, moved)
      const left = await lockWithdrawal(tx, moved.id)
      await tx.audit('withdrawal.left', `withdrawal:${no}`, { overChannels: formatUsd(left.channelNano), payout: payout.name })
      crashPoint('payments.payout-parts-commit')
      return left
    }),
  )
}

/**
 * Moves the rest that no channel refunds to `in_transit` for the transfer, and commits a mark before the call may be sent. `waiting`:
 * refunds are in progress. Undefined: there is no transfer to send.
 */
export async function prepareTransfer(deps: Deps, row: WithdrawalRow, payout: Payout): Promise<WithdrawalRow | 'waiting' | undefined> {
  const no = row.withdrawalNo
  return handleExpiredHold(deps, row, () =>
    transact(deps.db, SYSTEM, async (tx) => {
      const locked = await lockWithdrawal(tx, row.id)
      if (!isAwaitingRefunds(locked)) return undefined
      if (isOnHold(locked)) return 'waiting'
      if ((await selectWithdrawalParts(tx, [row.id])).some(({ state }) => state !== 'succeeded' && LIVE_REFUNDS.includes(state))) return 'waiting'
      await tx.audit('withdrawal.transfer', `withdrawal:${no}`, { overChannels: formatUsd(locked.channelNano) })
      if (locked.source === 'reward') return prepareRewardTransfer(deps, tx, locked)
      const { row: left, held } = await payDebtFromHold(tx, locked)
      const amount = floorToCents(held)
      const minor = amount === row.amountNano ? row.payMinor : toMinorUnitsDown(amount, row.rate)
      // A rest below the vendor's minimum stays in the balance, if the other part was refunded or paid a debt.
      if (minor <= 0n || (minor < payout.minMinor && (left.channelNano > 0n || left.takenNano > 0n)))
        return left.channelNano > 0n ? finishWithoutTransfer(tx, no) : failUnsent(deps, tx, { no, reason: 'debt' })
      if (locked.sealed === null) return failUnsent(deps, tx, { no, reason: 'payee' })
      const { transactionId } = await captureHold(tx, { holdId: no, amount, kind: 'withdraw.sent', ref: no, to: systemAccount('in_transit') })
      crashPoint('payments.payout-leave-commit')
      return markTransferSent(tx, row.id, { transactionId, amount, minor })
    }),
  )
}

/** Finishes a withdrawal that consists of refunds only; each refund has sent a separate mail. */
async function finishWithoutTransfer(tx: Tx, no: string): Promise<undefined> {
  const paid = await moveWithdrawal(tx, no, { from: ['in_transit'], to: 'paid' })
  if (!paid) return
  await voidHold(tx, no)
  await tx.emit('withdrawal.paid', { withdrawalNo: no, userId: paid.userId })
}

/** Sends rewards, which pay no debt, only while the user has none. A debt that arises a moment later does not stop them. */
async function prepareRewardTransfer(deps: Deps, tx: Tx, row: WithdrawalRow): Promise<WithdrawalRow | undefined> {
  const transactionId = await requireRewardSource().take(tx, toFundedWithdrawal(row))
  if ((await settleDebts(tx, row.userId)) > 0n || (await readRewardBalance(tx, row.userId)) < 0n)
    return failUnsent(deps, tx, { no: row.withdrawalNo, reason: 'debt' })
  return markTransferSent(tx, row.id, { transactionId, amount: row.amountNano, minor: row.payMinor })
}

/**
 * Fails a withdrawal without a transfer and returns the rest to the user, with the reason. `payee`: the channels should have refunded all
 * of it and took less than planned. `debt`: the user's debt took it.
 */
async function failUnsent(deps: Deps, tx: Tx, { no, reason }: { readonly no: string; readonly reason: 'payee' | 'debt' }): Promise<undefined> {
  const failed = await moveWithdrawal(tx, no, { from: ['in_transit'], to: 'failed', more: { reason } })
  if (!failed) return
  await mailWithdrawalEvent(deps, tx, { row: await releaseWithdrawal(tx, failed), event: 'failed' })
  await tx.emit('withdrawal.failed', { withdrawalNo: no, userId: failed.userId })
}

/** Handles a hold that expired while waiting: the unrefunded rest is already back in the balance. */
async function handleExpiredHold<T>(deps: Deps, row: WithdrawalRow, work: () => Promise<T>): Promise<T | undefined> {
  const no = row.withdrawalNo
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || (error.errorName !== 'HOLD_CLOSED' && error.errorName !== 'HOLD_UNKNOWN')) throw error
    await transact(deps.db, SYSTEM, async (tx) => {
      const failed = await moveWithdrawal(tx, no, { from: [row.state], to: 'failed', more: { reason: 'refused' } })
      if (failed) await mailWithdrawalEvent(deps, tx, { row: failed, event: 'failed' })
      await tx.audit('withdrawal.failed', `withdrawal:${no}`, { why: error.errorName })
    })
    return undefined
  }
}

/**
 * Exceeds the deadline of every payout vendor's call: after that an earlier call has ended, and a payout missing at the vendor was not
 * sent.
 */
const MAX_CALL_MS = 120_000
const RETRY_SECONDS = 30

/**
 * Final check before a transfer is passed to its vendor, made before every call, including repeats for a payout missing at the vendor. If
 * the user owes by now, the reserved money returns to the balance and pays the debt. False: nothing may be sent now.
 */
async function claimPayoutCall(deps: Deps, { id }: WithdrawalRow): Promise<boolean> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const row = await lockWithdrawal(tx, id)
    if (row.state !== 'in_transit' || row.sentTx === null) return false
    const owed = await settleDebts(tx, row.userId)
    const isCalling = row.calledAt !== null && row.now.getTime() - row.calledAt.getTime() < MAX_CALL_MS
    if (owed === 0n) await markPayoutCall(tx, id)
    else if (isCalling) await scheduleWithdrawal(tx, id, RETRY_SECONDS)
    else await failForDebt(deps, tx, row)
    await tx.audit(owed === 0n ? 'withdrawal.calling' : 'withdrawal.stopped', `withdrawal:${row.withdrawalNo}`, { owed: formatUsd(owed) })
    crashPoint('payments.payout-call-commit')
    return owed === 0n
  })
}

async function failForDebt(deps: Deps, tx: Tx, row: WithdrawalRow): Promise<void> {
  const failed = await moveWithdrawal(tx, row.withdrawalNo, { from: ['in_transit'], to: 'failed', more: { reason: 'debt' } })
  if (!failed) return
  await returnTransfer(tx, row)
  await mailWithdrawalEvent(deps, tx, { row: failed, event: 'failed' })
  await tx.emit('withdrawal.failed', { withdrawalNo: row.withdrawalNo, userId: row.userId })
}

const BATCH = 20
/** Days after its arrival when a transfer is checked again, because banks return some. */
const RETURNS_DAYS = [1, 3, 7]
const DAY_SECONDS = 86_400
/** Check interval for a withdrawal of a frozen user. */
const FROZEN_SECONDS = 900

/** Job: advances all due withdrawals, one at a time. */
export async function advanceWithdrawals(deps: Deps): Promise<void> {
  for (const withdrawalNo of await takeDueWithdrawals(deps.db, BATCH)) {
    await advanceWithdrawal(deps, withdrawalNo).catch((error: unknown) => deps.log.error({ err: error, withdrawalNo }, 'a withdrawal could not be moved on'))
  }
}

/** Advances one withdrawal by the facts and times due now. Safe to call at any time, concurrently. */
export async function advanceWithdrawal(deps: Deps, withdrawalNo: string): Promise<void> {
  const row = await selectWithdrawalByNo(deps.db, withdrawalNo)
  if (!row) return
  if (row.heldAt) return maintainHold(deps, row)
  if (row.state === 'approving') return rejectUndecided(deps, row)
  const leaves = row.state === 'requested' || row.state === 'approved' || isAwaitingRefunds(row)
  // A withdrawal waits while its user or the user's payouts are frozen; a transfer already sent continues.
  if (leaves && ((await selectInactiveUsers(deps.db, [row.userId])).size || (await arePayoutsFrozen(deps.db, row.userId))))
    return scheduleWithdrawal(deps.db, row.id, FROZEN_SECONDS)
  if (row.state === 'requested' || row.state === 'approved') {
    if (row.payAfter && row.payAfter > row.now) return scheduleWithdrawal(deps.db, row.id, (row.payAfter.getTime() - row.now.getTime()) / 1000)
    const payout = payoutRegistry.first(deps)
    const left = payout && (await startChannelRefunds(deps, row, payout))
    return left && payout ? sendTransfer(deps, left, payout) : undefined
  }
  if (row.state !== 'in_transit' && row.state !== 'paid') return
  const payout = payoutRegistry.find(deps, row.payoutVendor ?? '')
  if (!payout) return void countEvent('payments.payout_vendor_gone')
  if (isAwaitingRefunds(row)) return sendTransfer(deps, row, payout)
  // Queried before it is resent, always under the one number, so that no second payout can result (X2).
  const fact = await payout.query(createSupplierTools(deps), row.withdrawalNo).catch((error: unknown) => asSupplierError(error))
  // A failed query decides nothing about the transfer.
  if (fact instanceof SupplierError) return void (await noteUnclearPayout(deps, row, { why: fact, note: recordFailedQuery }))
  await settlePayout(deps, row, async () => (fact.status === 'not_found' && row.state === 'in_transit' ? sendPayout(deps, payout, row) : fact))
}

/** Sends the transfer once none of its refunds is in progress. */
async function sendTransfer(deps: Deps, row: WithdrawalRow, payout: Payout): Promise<void> {
  const sent = await prepareTransfer(deps, row, payout)
  if (sent === 'waiting') return scheduleWithdrawal(deps.db, row.id, computeDelay(row.checks))
  if (sent) await settlePayout(deps, sent, () => sendPayout(deps, payout, sent))
}

/** Sends the payout, unless a debt has come up since its money was set aside; `pending`: not sent, check again. */
async function sendPayout(deps: Deps, payout: Payout, row: WithdrawalRow): Promise<PayoutFact> {
  if (!(await claimPayoutCall(deps, row))) return { status: 'pending' }
  const { alipay, name, identityNumber } = unsealAccount(deps.secretKeys, row.withdrawalNo, row.sealed!)
  crashPoint('payments.payout-before-call')
  const fact = await payout.send(createSupplierTools(deps), {
    payoutNo: row.withdrawalNo,
    minor: row.sentMinor!,
    account: alipay,
    name,
    identityNumber,
    title: `${deps.config.BRAND_NAME} ${row.withdrawalNo}`,
  })
  crashPoint('payments.payout-after-call')
  return fact
}

/** Turns the vendor's report into state and postings in one transaction. An unknown outcome only reschedules the query. */
async function settlePayout(deps: Deps, row: WithdrawalRow, ask: () => Promise<PayoutFact>): Promise<void> {
  const no = row.withdrawalNo
  let fact: PayoutFact
  try {
    fact = await ask()
  } catch (error) {
    const outcome = asSupplierError(error)
    if (outcome.kind !== 'rejected' && !(await noteUnclearPayout(deps, row, { why: outcome }))) return
    fact = { status: 'refused', reason: outcome.kind === 'rejected' ? toRefusalReason(outcome.reason) : 'away' }
  }
  if (fact.status === 'held') countEvent('payments.payout_held')
  if (fact.status === 'pending' || fact.status === 'held' || fact.status === 'not_found') {
    if (row.state === 'paid') return scheduleWithdrawal(deps.db, row.id, null)
    return void (await noteUnclearPayout(deps, row, { why: unknownError(fact.status, fact.status === 'held' ? fact.why : '') }))
  }
  await clearWait(deps.db, formatSubject(row))
  if (row.state === 'paid' && fact.status !== 'returned') {
    const next = RETURNS_DAYS.map((days) => days * DAY_SECONDS - (row.now.getTime() - row.finishedAt!.getTime()) / 1000).find((seconds) => seconds > 0)
    return scheduleWithdrawal(deps.db, row.id, next ?? null)
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    const amount = row.sentNano!
    const back = () => returnTransfer(tx, row)
    const legs = [{ from: systemAccount('in_transit'), to: systemAccount('wash'), amount }]
    if (fact.status === 'refused') {
      const moved = await moveWithdrawal(tx, no, { from: ['in_transit'], to: 'failed', more: { reason: fact.reason } })
      if (!moved) return
      await back()
      await mailWithdrawalEvent(deps, tx, { row: moved, event: 'failed' })
    } else {
      const arrived = await moveWithdrawal(tx, no, {
        from: ['in_transit'],
        to: 'paid',
        more: { txn: fact.txn, ...(fact.status === 'paid' ? { seconds: DAY_SECONDS } : {}) },
      })
      if (arrived) {
        await postTransaction(tx, { kind: 'withdraw.paid', ref: no, legs })
        if (fact.status === 'paid') await mailWithdrawalEvent(deps, tx, { row: arrived, event: 'paid' })
      }
      const returned = fact.status === 'returned' ? await moveWithdrawal(tx, no, { from: ['paid'], to: 'returned', more: { reason: 'returned' } }) : undefined
      // Another process has applied the same report.
      if (!arrived && !returned) return
      if (returned) {
        await postTransaction(tx, { kind: 'withdraw.back', ref: no, legs: legs.map(({ from, to, amount }) => ({ from: to, to: from, amount })) })
        await back()
        await mailWithdrawalEvent(deps, tx, { row: returned, event: 'failed' })
      }
    }
    await tx.audit(`withdrawal.${fact.status}`, `withdrawal:${no}`, 'txn' in fact ? { txn: fact.txn } : { reason: fact.reason })
    await tx.emit(`withdrawal.${fact.status}`, { withdrawalNo: no, userId: row.userId })
    crashPoint('payments.payout-settle-commit')
  })
}

const formatSubject = (row: WithdrawalRow): string => `withdrawal:${row.withdrawalNo}`

/**
 * A transfer that may have been sent is queried, never sent twice and never given up automatically: after a day it becomes an operator's
 * task. True: it certainly was not sent for a day, and its money is free.
 */
async function noteUnclearPayout(
  deps: Deps,
  row: WithdrawalRow,
  {
    why,
    note = recordWait,
  }: {
    readonly why: SupplierError
    readonly note?: typeof recordWait
  },
): Promise<boolean> {
  countEvent('payments.payout_unknown')
  deps.log.warn({ withdrawalNo: row.withdrawalNo, why: why.message }, 'a payout has no clear answer')
  const call = { subject: formatSubject(row), port: 'payments.payout', supplier: row.payoutVendor ?? '', operation: 'send' }
  const { isOver, needsOperator, seconds } = await note(deps.db, call, why)
  if (!isOver) await scheduleWithdrawal(deps.db, row.id, needsOperator ? seconds : computeDelay(row.checks))
  return isOver
}

const toRefusalReason = (reason: string) => PAYOUT_REFUSALS.find((one) => one === reason) ?? 'refused'

/** Rejects a withdrawal that no operator decided in time. */
async function rejectUndecided(deps: Deps, row: WithdrawalRow): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    // Put on hold since it was read.
    if ((await lockWithdrawal(tx, row.id)).heldAt) return
    const moved = await moveWithdrawal(tx, row.withdrawalNo, { from: ['approving'], to: 'rejected', more: { reason: 'rejected' } })
    if (!moved) return
    await mailWithdrawalEvent(deps, tx, { row: await releaseWithdrawal(tx, moved), event: 'failed' })
    await tx.audit('withdrawal.rejected', `withdrawal:${row.withdrawalNo}`, { why: 'nobody decided in time' })
  })
}

/** 15 s, 30 s, 1 min ... at most 15 minutes between queries. */
function computeDelay(checks: number): number {
  return Math.min(15 * 2 ** Math.min(checks, 10), 900)
}
