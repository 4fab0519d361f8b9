import { rejectedError, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SmsVendor } from '../port.ts'
import { hasSms, putSms } from './data.ts'

/** Faults of the sandbox's carrier, by the last four digits of the number. */
export const SMS_FAULTS = {
  '0400': 'refused for good',
  '0500': 'fails at each attempt',
  '0501': 'fails at the first attempt',
  '0502': 'takes the message, and its answer is lost',
  '0300': 'takes 3 s',
  '0200': 'arrives twice',
  '0404': 'is taken and does not arrive',
} as const

/** A phone in a table, shown at /sandbox. */
export const sandboxSms: SmsVendor = {
  id: 'sandbox',
  sandbox: true,
  regions: () => ['86', '852', '853'],
  open: ({ sql, clock }) => ({
    send: async (sms) => {
      const fault = sms.to.slice(-4) as keyof typeof SMS_FAULTS
      if (fault === '0400') throw rejectedError('number', 'sandbox: refused')
      if (fault === '0500' || (fault === '0501' && sms.attempt === 1)) throw retryableError('supplier_fault', 'sandbox: failed')
      if (fault === '0300') await new Promise((resolve) => setTimeout(resolve, 3000))
      if (fault === '0200') await putSms(sql, sms, clock.now())
      if (fault !== '0404') await putSms(sql, sms, clock.now())
      if (fault === '0502') throw unknownError('no_answer', 'sandbox: answer lost')
    },
    find: async (sms) => ((await hasSms(sql, sms.id)) ? 'taken' : 'absent'),
  }),
}
