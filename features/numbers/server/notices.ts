import type { RawRoute } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { findOpenRental } from './data.ts'
import { findNumberSupplier } from './suppliers.ts'
import { NOTICE_PATH, buildNoticeUrl } from './vendors/index.ts'
import { storeNumberMessages } from './watch/messages.ts'

const buildReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** Webhooks of suppliers. A message is acknowledged once it is stored; one for a number that is no longer ours, at once. */
export const noticeRoutes: readonly RawRoute[] = [
  {
    method: 'POST',
    path: NOTICE_PATH,
    role: 'api',
    bodyLimit: 64_000,
    handle: async (deps, request) => {
      const supplier = findNumberSupplier(deps, request.params['supplier'] ?? '')
      if (!supplier?.readNotice || !supplier.acknowledge) return buildReply(404, 'no such supplier')
      const notice = supplier.readNotice(request, buildNoticeUrl(deps, supplier.name))
      if (!notice) {
        countEvent('numbers.notice_forged')
        return buildReply(403, 'the signature does not hold')
      }
      const rental = await findOpenRental(deps.db, supplier.name, notice.number)
      if (rental) await storeNumberMessages(deps, rental, [notice.message])
      else countEvent('numbers.notice_unknown')
      return supplier.acknowledge()
    },
  },
]
