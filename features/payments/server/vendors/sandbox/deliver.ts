import type { ChannelTools } from '../port.ts'
import * as book from './data.ts'
import { agreementNoticeDone, takeDueAgreementNotices } from './data-agreements.ts'
import { NOTICE_KEYS, sealed } from './envelope.ts'
import { turn } from './refunds.ts'
import { settle } from './settle.ts'

/** Seconds to the next try after each failed one, then it gives up. */
const SCHEDULE = [2, 3, 5, 10, 15, 30, 60, 180, 600, 1800, 3600, 21_600]

/** Late payments, refunds and disputes that are due, then every notice that is due. */
export async function work(tools: ChannelTools): Promise<void> {
  if (!(await book.isAnythingDue(tools.query, tools.now()))) return
  for (const trade of await book.dueTrades(tools.query, tools.now())) await settle(tools, trade, 'pay-late-now')
  await turn(tools)
  await deliverAgreements(tools)
  const due = await book.takeDueNotices(tools.query, tools.now(), SCHEDULE)
  await Promise.all(
    due.map(async (notice) => {
      const answer = await send(tools, notice.notifyUrl, notice.body, notice.badSignature)
      // A notice with a bad signature is a probe: it is sent once, whatever the answer.
      if (answer || notice.badSignature) await book.noticeDone(tools.query, notice.id, tools.now())
    }),
  )
}

async function deliverAgreements(tools: ChannelTools): Promise<void> {
  const due = await takeDueAgreementNotices(tools.query, tools.now(), SCHEDULE)
  await Promise.all(
    due.map(async (notice) => {
      if (await send(tools, notice.notifyUrl, notice.body)) await agreementNoticeDone(tools.query, notice.id, tools.now())
    }),
  )
}

/** True when the merchant took it. */
async function send(tools: ChannelTools, url: string, text: string, badSignature = false): Promise<boolean> {
  const body = Buffer.from(text)
  const headers = sealed(tools.secret, NOTICE_KEYS[0], tools.now(), body)
  if (badSignature) headers['sandbox-signature'] = Buffer.from('not our signature').toString('base64url')
  return tools.fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body, signal: AbortSignal.timeout(5000) }).then(
    async (reply) => reply.status === 200 && (await reply.text()) === 'success',
    () => false,
  )
}
