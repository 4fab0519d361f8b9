import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { findOpenRental, hasEarlierRental } from './data.ts'
import type { Rental } from './data.ts'
import { findNumberSupplier, NOTICE_PATH, buildNoticeUrl } from './vendors/index.ts'
import type { NumberMessage, NumberSupplier } from './vendors/port.ts'
import { storeNumberMessages } from './watch/messages.ts'

const buildReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/**
 * A notice has no time: if the number was rented before, it may be a retry from then. The supplier lists only messages of this rental.
 * Returns undefined if the supplier does not respond.
 */
async function readMessages(
  deps: Deps,
  supplier: NumberSupplier,
  { rental, message }: { readonly rental: Rental; readonly message: NumberMessage },
): Promise<readonly NumberMessage[] | undefined> {
  if (!(await hasEarlierRental(deps.db, rental))) return [message]
  try {
    return (await supplier.look(rental)).messages
  } catch (error) {
    deps.log.warn({ taskId: rental.taskId, supplier: supplier.name, why: (error as Error).message }, "a notice's message could not be confirmed")
    return undefined
  }
}

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
      if (!rental) {
        countEvent('numbers.notice_unknown')
        return supplier.acknowledge()
      }
      const messages = await readMessages(deps, supplier, { rental, message: notice.message })
      if (!messages) return buildReply(503, 'try again later')
      await storeNumberMessages(deps, rental, messages)
      return supplier.acknowledge()
    },
  },
]
