import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { clearWait, recordFailedQuery, recordWait } from '#platform/server/suppliers/waits.ts'
import { asSupplierError, SupplierError, unknownError } from '#platform/shared/supplier-error.ts'
import { selectInactiveUsers, arePayoutsFrozen } from '#features/account/server/door.ts'
import { postTransaction, systemAccount } from '#features/wallet/server/door.ts'
import { unsealAccount } from '../account-seal.ts'
import { moveWithdrawal, scheduleWithdrawal, takeDueWithdrawals, selectWithdrawalByNo } from '../../set-aside/data.ts'
import type { WithdrawalRow } from '../../set-aside/data.ts'
import { lockWithdrawal } from '../../set-aside/data-parts.ts'
import { maintainHold } from '../hold/hold.ts'
import { mailWithdrawalEvent } from '../mails.ts'
import { isAwaitingRefunds } from '../../set-aside/parts.ts'
import { releaseWithdrawal, returnTransfer } from '../reward-source.ts'
import { findPayoutByName, findCurrentPayout, createPayoutTools } from '../vendors/index.ts'
import { PAYOUT_REFUSALS } from '../vendors/port.ts'
import type { Payout, PayoutFact } from '../vendors/port.ts'
import { startChannelRefunds, prepareTransfer } from './start-payout.ts'
import { claimPayoutCall } from './claim-payout-call.ts'

const BATCH = 20
/** A transfer that arrived is looked at again: banks send some back. Days after it arrived. */
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

/** Advances one withdrawal by the facts and times due now. Safe to call at any time, from any number of processes. */
export async function advanceWithdrawal(deps: Deps, withdrawalNo: string): Promise<void> {
  const row = await selectWithdrawalByNo(deps.db, withdrawalNo)
  if (!row) return
  if (row.held_at) return maintainHold(deps, row)
  if (row.state === 'approving') return rejectUndecided(deps, row)
  const leaves = row.state === 'requested' || row.state === 'approved' || isAwaitingRefunds(row)
  // Money of a frozen user, or of one with frozen payouts, stays; a transfer that has left continues.
  if (leaves && ((await selectInactiveUsers(deps.db, [row.user_id])).size || (await arePayoutsFrozen(deps.db, row.user_id))))
    return scheduleWithdrawal(deps.db, row.id, FROZEN_SECONDS)
  if (row.state === 'requested' || row.state === 'approved') {
    if (row.pay_after && row.pay_after > row.now) return scheduleWithdrawal(deps.db, row.id, (row.pay_after.getTime() - row.now.getTime()) / 1000)
    const payout = findCurrentPayout(deps.config)
    const left = payout && (await startChannelRefunds(deps, row, payout))
    return left && payout ? sendTransfer(deps, left, payout) : undefined
  }
  if (row.state !== 'in_transit' && row.state !== 'paid') return
  const payout = findPayoutByName(deps.config, row.payout_vendor ?? '')
  if (!payout) return void countEvent('payments.payout_vendor_gone')
  if (isAwaitingRefunds(row)) return sendTransfer(deps, row, payout)
  // Asked before it is sent again, always under the one number: a second payout cannot come of it (X2).
  const fact = await payout.query(createPayoutTools(deps), row.withdrawal_no).catch((error: unknown) => asSupplierError(error))
  // A failed query decides nothing about the transfer
  if (fact instanceof SupplierError) return void (await noteUnclearPayout(deps, row, fact, recordFailedQuery))
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
  const { alipay, name, identityNumber } = unsealAccount(deps.secretKeys, row.withdrawal_no, row.sealed!)
  crashPoint('payments.payout-before-call')
  const fact = await payout.send(createPayoutTools(deps), {
    payoutNo: row.withdrawal_no,
    minor: row.sent_minor!,
    account: alipay,
    name,
    identityNumber,
    title: `${deps.config.BRAND_NAME} ${row.withdrawal_no}`,
  })
  crashPoint('payments.payout-after-call')
  return fact
}

/** Turns the vendor's report into state and postings in one transaction. An unknown outcome only reschedules the query. */
async function settlePayout(deps: Deps, row: WithdrawalRow, ask: () => Promise<PayoutFact>): Promise<void> {
  const no = row.withdrawal_no
  let fact: PayoutFact
  try {
    fact = await ask()
  } catch (error) {
    const outcome = asSupplierError(error)
    if (outcome.kind !== 'rejected' && !(await noteUnclearPayout(deps, row, outcome))) return
    fact = { status: 'refused', reason: outcome.kind === 'rejected' ? toRefusalReason(outcome.reason) : 'away' }
  }
  if (fact.status === 'held') countEvent('payments.payout_held')
  if (fact.status === 'pending' || fact.status === 'held' || fact.status === 'not_found') {
    if (row.state === 'paid') return scheduleWithdrawal(deps.db, row.id, null)
    return void (await noteUnclearPayout(deps, row, unknownError(fact.status, fact.status === 'held' ? fact.why : '')))
  }
  await clearWait(deps.db, formatSubject(row))
  if (row.state === 'paid' && fact.status !== 'returned') {
    const next = RETURNS_DAYS.map((days) => days * DAY_SECONDS - (row.now.getTime() - row.finished_at!.getTime()) / 1000).find((seconds) => seconds > 0)
    return scheduleWithdrawal(deps.db, row.id, next ?? null)
  }
  await transact(deps.db, SYSTEM, async (tx) => {
    const amount = row.sent_nano!
    const back = () => returnTransfer(tx, row)
    const legs = [{ from: systemAccount('in_transit'), to: systemAccount('wash'), amount }]
    if (fact.status === 'refused') {
      const moved = await moveWithdrawal(tx, no, ['in_transit'], 'failed', { reason: fact.reason })
      if (!moved) return
      await back()
      await mailWithdrawalEvent(deps, tx, moved, 'failed')
    } else {
      const arrived = await moveWithdrawal(tx, no, ['in_transit'], 'paid', { txn: fact.txn, ...(fact.status === 'paid' ? { seconds: DAY_SECONDS } : {}) })
      if (arrived) {
        await postTransaction(tx, { kind: 'withdraw.paid', ref: no, legs })
        if (fact.status === 'paid') await mailWithdrawalEvent(deps, tx, arrived, 'paid')
      }
      const returned = fact.status === 'returned' ? await moveWithdrawal(tx, no, ['paid'], 'returned', { reason: 'returned' }) : undefined
      // Another process applied the same report before.
      if (!arrived && !returned) return
      if (returned) {
        await postTransaction(tx, { kind: 'withdraw.back', ref: no, legs: legs.map(({ from, to, amount }) => ({ from: to, to: from, amount })) })
        await back()
        await mailWithdrawalEvent(deps, tx, returned, 'failed')
      }
    }
    await tx.audit(`withdrawal.${fact.status}`, `withdrawal:${no}`, 'txn' in fact ? { txn: fact.txn } : { reason: fact.reason })
    await tx.emit(`withdrawal.${fact.status}`, { withdrawalNo: no, userId: row.user_id })
    crashPoint('payments.payout-settle-commit')
  })
}

const formatSubject = (row: WithdrawalRow): string => `withdrawal:${row.withdrawal_no}`

/**
 * A transfer that may have left is asked about, never sent twice and never given up by itself: after a day operators have to look.
 * True: for a day it surely never left, and its money is free.
 */
async function noteUnclearPayout(deps: Deps, row: WithdrawalRow, why: SupplierError, note = recordWait): Promise<boolean> {
  countEvent('payments.payout_unknown')
  deps.log.warn({ withdrawalNo: row.withdrawal_no, why: why.message }, 'a payout has no clear answer')
  const call = { subject: formatSubject(row), port: 'payments.payout', supplier: row.payout_vendor ?? '', operation: 'send' }
  const { isOver, needsOperator, seconds } = await note(deps.db, call, why)
  if (!isOver) await scheduleWithdrawal(deps.db, row.id, needsOperator ? seconds : computeDelay(row.checks))
  return isOver
}

const toRefusalReason = (reason: string) => PAYOUT_REFUSALS.find((one) => one === reason) ?? 'refused'

/** Rejects a withdrawal that no operator decided in time. */
async function rejectUndecided(deps: Deps, row: WithdrawalRow): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    // put on hold since it was read
    if ((await lockWithdrawal(tx, row.id)).held_at) return
    const moved = await moveWithdrawal(tx, row.withdrawal_no, ['approving'], 'rejected', { reason: 'rejected' })
    if (!moved) return
    await mailWithdrawalEvent(deps, tx, await releaseWithdrawal(tx, moved), 'failed')
    await tx.audit('withdrawal.rejected', `withdrawal:${row.withdrawal_no}`, { why: 'nobody decided in time' })
  })
}

/** 15 s, 30 s, 1 min ... at most 15 minutes between questions. */
function computeDelay(checks: number): number {
  return Math.min(15 * 2 ** Math.min(checks, 10), 900)
}
