import { rejectedError, retryableError, unknownError } from '#platform/shared/supplier-error.ts'
import type { SmsVendor } from '../port.ts'
import { hasSms, putSms } from './data.ts'

/**
 * A phone in a table, shown at /sandbox. Behaves badly when the number ends so: 0400 is refused for good, 0500 fails at
 * each attempt, 0501 at the first, 0502 takes the message and its answer is lost, 0300 takes 3 s, 0200 arrives twice,
 * 0404 is taken and does not arrive.
 */
export const sandboxSms: SmsVendor = {
  id: 'sandbox',
  sandbox: true,
  regions: () => ['86', '852', '853'],
  open: ({ sql, clock }) => ({
    send: async (sms) => {
      const wish = sms.to.slice(-4)
      if (wish === '0400') throw rejectedError('number', 'sandbox: refused')
      if (wish === '0500' || (wish === '0501' && sms.attempt === 1)) throw retryableError('supplier_fault', 'sandbox: failed')
      if (wish === '0300') await new Promise((resolve) => setTimeout(resolve, 3000))
      if (wish === '0200') await putSms(sql, sms, clock.now())
      if (wish !== '0404') await putSms(sql, sms, clock.now())
      if (wish === '0502') throw unknownError('no_answer', 'sandbox: answer lost')
    },
    find: async (sms) => ((await hasSms(sql, sms.id)) ? 'taken' : 'absent'),
  }),
}
