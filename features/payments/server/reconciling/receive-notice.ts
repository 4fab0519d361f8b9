import { crashPoint } from '#platform/server/crash.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/database/transact.ts'
import * as data from '../data.ts'
import { orderOfTrade } from '../trades/data-attempts.ts'
import { insertNotice, isNoticeKnown, orderOfPayment } from '../trades/data-receipts.ts'
import { channelByName, toolsFor } from '../vendors/index.ts'
import type { Notice } from '../vendors/port.ts'
import { receiveAgreementNotice } from '../auto/verbs/sync-agreement.ts'
import { applyAnswers, moneyRules } from '../paying/check-order.ts'
import { askChannels } from '../trades/ask-channels.ts'
import { applyRefundFact, askRefund } from './work-refund.ts'

const SOON_SECONDS = 3

/**
 * A channel's notice: verified over its raw bytes, then only a reason to ask. The channel's own answer is taken before the
 * order is locked and applied under the lock; notice row and effect commit together, and only then is it acknowledged.
 */
export const receiveNotice: RawRoute['handle'] = async (deps, request) => {
  const channel = channelByName(deps.config, request.params['channel'] ?? '')
  if (!channel) return { status: 404, type: 'text/plain', body: 'no such channel' }
  const channelType = channel.manifest.id
  const notice = await channel.readNotice(toolsFor(deps), request)
  if (!notice) {
    countEvent('payments.notice_forged')
    return channel.acknowledge('forged')
  }
  if (notice.event === 'foreign' || (await isNoticeKnown(deps.db, channelType, notice.noticeId))) return channel.acknowledge('done')
  if (notice.event === 'agreement') return channel.acknowledge((await receiveAgreementNotice(deps, channel, notice)) ? 'done' : 'retry')
  const about = await tradeOf(deps, channelType, notice)
  if (!about) return channel.acknowledge('retry')
  const { orderId, tradeNo } = about
  const answers = await askChannels(deps, orderId)
  const fact = answers.find(({ trade }) => trade.channel_type === channelType && trade.trade_no === tradeNo)?.fact
  if (!fact || (notice.event === 'paid' && fact.payments.length === 0)) {
    await data.nudge(deps.db, orderId, SOON_SECONDS)
    return channel.acknowledge('retry')
  }
  const rules = await moneyRules(deps)
  const refund = notice.refundNo === undefined ? undefined : await askRefund(deps, notice.refundNo)
  if (refund && !refund.fact) return channel.acknowledge('retry')
  crashPoint('payments.before-notice')
  await transact(deps.db, { kind: 'channel', id: channel.manifest.name }, async (tx) => {
    // Before the notice's row, which refers to the order: two notices at once would each hold what the other waits for.
    await data.lockOrder(tx, orderId)
    if (!(await insertNotice(tx, { channelType, noticeId: notice.noticeId, orderId, tradeNo, event: notice.event }))) return
    await applyAnswers(tx, orderId, answers, rules)
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

/** By our trade number, or by the payment: a dispute knows nothing else. */
async function tradeOf(deps: Deps, channelType: number, { tradeNo, channelTxn }: Notice): Promise<{ orderId: bigint; tradeNo: string } | undefined> {
  if (tradeNo !== undefined) {
    const orderId = await orderOfTrade(deps.db, channelType, tradeNo)
    return orderId === undefined ? undefined : { orderId, tradeNo }
  }
  const paid = channelTxn === undefined ? undefined : await orderOfPayment(deps.db, channelType, channelTxn)
  return paid && { orderId: paid.order_id, tradeNo: paid.trade_no }
}
