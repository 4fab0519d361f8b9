import { crashPoint } from '#platform/server/crash.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import * as data from '../data.ts'
import { selectOrderOfTrade } from '../trades/data-attempts.ts'
import { insertChannelNotice, hasNotice, selectOrderOfPayment } from '../trades/data-receipts.ts'
import { findChannelByName, createChannelTools } from '../vendors/index.ts'
import type { ChannelNotice } from '../vendors/port.ts'
import { receiveAgreementNotice } from '../auto/verbs/sync-agreement.ts'
import { applyAnswers, readMoneyRules } from '../paying/check-order.ts'
import { queryChannels } from '../trades/query-channels.ts'
import { applyRefundFact, queryRefundFact } from './work-refund.ts'

const RECHECK_SECONDS = 3

/**
 * Handles a channel's notice: verified over its raw bytes, it only triggers a query. The channel is queried before the order is locked, and
 * the answer applied under the lock. The notice row and its effect commit together before the notice is acknowledged.
 */
export const receiveChannelNotice: RawRoute['handle'] = async (deps, request) => {
  const channel = findChannelByName(deps, request.params['channel'] ?? '')
  if (!channel) return { status: 404, type: 'text/plain', body: 'no such channel' }
  const channelType = channel.manifest.id
  const notice = await channel.readNotice(createChannelTools(deps), request)
  if (!notice) {
    countEvent('payments.notice_forged')
    return channel.acknowledge('forged')
  }
  if (notice.event === 'foreign' || (await hasNotice(deps.db, channelType, notice.noticeId))) return channel.acknowledge('done')
  if (notice.event === 'agreement') return channel.acknowledge((await receiveAgreementNotice(deps, channel, notice)) ? 'done' : 'retry')
  const about = await findNotifiedTrade(deps, channelType, notice)
  if (!about) return channel.acknowledge('retry')
  const { orderId, tradeNo } = about
  const answers = await queryChannels(deps, orderId)
  const fact = answers.find(({ trade }) => trade.channelType === channelType && trade.tradeNo === tradeNo)?.fact
  if (!fact || (notice.event === 'paid' && fact.payments.length === 0)) {
    await data.scheduleCheckWithin(deps.db, orderId, RECHECK_SECONDS)
    return channel.acknowledge('retry')
  }
  const rules = await readMoneyRules(deps)
  const refund = notice.refundNo === undefined ? undefined : await queryRefundFact(deps, notice.refundNo)
  if (refund && !refund.fact) return channel.acknowledge('retry')
  crashPoint('payments.before-notice')
  await transact(deps.db, { kind: 'channel', id: channel.manifest.name }, async (tx) => {
    // Lock the order before inserting the notice's row, which refers to it: two concurrent notices would deadlock otherwise.
    await data.lockOrder(tx, orderId)
    if (!(await insertChannelNotice(tx, { channelType, noticeId: notice.noticeId, orderId, tradeNo, event: notice.event }))) return
    await applyAnswers(tx, orderId, { answers, rules })
    if (refund?.fact) await applyRefundFact(tx, refund.id, refund.fact)
    await tx.audit('notice.received', `trade:${tradeNo}`, {
      noticeId: notice.noticeId,
      event: notice.event,
      ...(notice.refundNo ? { refundNo: notice.refundNo } : {}),
    })
    crashPoint('payments.notice-before-commit')
  })
  if (notice.event === 'dispute') countEvent('payments.disputed')
  crashPoint('payments.notice-before-ack')
  return channel.acknowledge('done')
}

/** Finds the order by our trade number, or by the payment: a dispute names only the payment. */
async function findNotifiedTrade(
  deps: Deps,
  channelType: number,
  { tradeNo, channelTxn }: ChannelNotice,
): Promise<{ orderId: bigint; tradeNo: string } | undefined> {
  if (tradeNo !== undefined) {
    const orderId = await selectOrderOfTrade(deps.db, channelType, tradeNo)
    return orderId === undefined ? undefined : { orderId, tradeNo }
  }
  const paid = channelTxn === undefined ? undefined : await selectOrderOfPayment(deps.db, channelType, channelTxn)
  return paid && { orderId: paid.orderId, tradeNo: paid.tradeNo }
}
