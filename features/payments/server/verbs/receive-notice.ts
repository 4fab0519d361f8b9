import { crashPoint } from '#platform/server/crash.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/transact.ts'
import * as data from '../data.ts'
import { channelByName, toolsFor } from '../vendors/index.ts'
import { applyAnswers, askChannels } from './check-order.ts'

const SOON_SECONDS = 3

/**
 * A channel's notice: verified over its raw bytes, then only a reason to ask. The channel's own answer is taken before the
 * order is locked and applied under the lock; notice row and effect commit together, and only then is it acknowledged.
 */
export const receiveNotice: RawRoute['handle'] = async (deps, request) => {
  const channel = channelByName(request.params['channel'] ?? '')
  if (!channel) return { status: 404, type: 'text/plain', body: 'no such channel' }
  const channelType = channel.manifest.id
  const notice = channel.readNotice(toolsFor(deps), request)
  if (!notice) {
    countEvent('payments.notice_forged')
    return channel.acknowledge('forged')
  }
  if (await data.isNoticeKnown(deps.db, channelType, notice.noticeId)) return channel.acknowledge('done')
  const orderId = await data.orderOfTrade(deps.db, channelType, notice.tradeNo)
  if (orderId === undefined) return channel.acknowledge('retry')
  const answers = await askChannels(deps, orderId)
  const fact = answers.find(({ trade }) => trade.channel_type === channelType && trade.trade_no === notice.tradeNo)?.fact
  if (!fact || (notice.event === 'paid' && fact.payments.length === 0)) {
    await data.nudge(deps.db, orderId, SOON_SECONDS)
    return channel.acknowledge('retry')
  }
  crashPoint('payments.before-notice')
  await transact(deps.db, { kind: 'channel', id: channel.manifest.name }, async (tx) => {
    if (!(await data.insertNotice(tx, { channelType, noticeId: notice.noticeId, orderId, tradeNo: notice.tradeNo, event: notice.event }))) return
    await applyAnswers(tx, orderId, answers)
    await tx.audit('notice.received', `trade:${notice.tradeNo}`, { noticeId: notice.noticeId, event: notice.event })
    crashPoint('payments.notice-before-commit')
  })
  crashPoint('payments.notice-before-ack')
  return channel.acknowledge('done')
}
