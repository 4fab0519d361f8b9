import { crashPoint } from '#platform/server/crash.ts'
import { pick } from '#platform/shared/pick.ts'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { findIssuer } from '../vendors/index.ts'
import { decideAuthorization } from '../authorisations/decide.ts'
import { insertCardNotice, takeDueNotices } from './data-notices.ts'
import { workNotice } from './work-notice.ts'

const BATCH = 50

/**
 * Webhook of the issuers. Answers a decision request from the ledger within its deadline; stores and acknowledges every other
 * notice, which only triggers a query.
 */
export const receiveCardNotice: RawRoute['handle'] = async (deps, request) => {
  const issuer = findIssuer(deps, request.params['issuer'] ?? '')
  if (!issuer) return { status: 404, type: 'text/plain', body: 'no such issuer' }
  const notice = issuer.readNotice(request)
  if (!notice) {
    countEvent('cards.notice_forged')
    return { status: 400, type: 'text/plain', body: 'signature' }
  }
  if (notice.kind === 'decide') return issuer.answer(await decideAuthorization(deps, issuer, { eventId: notice.eventId, asked: notice.asked }))
  if (notice.kind === 'ignored') return issuer.acknowledge()
  const row = { issuer: issuer.name, ...pick(notice, 'eventId', 'kind', 'ref', 'cardRef') }
  crashPoint('cards.before-notice')
  const fresh = await insertCardNotice(deps.db, row)
  crashPoint('cards.notice-before-ack')
  // The notice is stored: if this process dies now, the job handles it.
  if (fresh) void workNotice(deps, { ...pick(row, 'issuer', 'eventId', 'kind', 'ref', 'cardRef'), checks: 0 })
  return issuer.acknowledge()
}

/** Job: handles due notices. */
export async function workNotices(deps: Deps): Promise<void> {
  for (;;) {
    const due = await takeDueNotices(deps.db, BATCH)
    for (const row of due) await workNotice(deps, row)
    if (due.length < BATCH) return
  }
}
