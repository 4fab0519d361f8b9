import { rejectedError, retryableError } from '#platform/shared/suppliers/supplier-error.ts'
import type { MailVendor } from '../port.ts'
import { putMail } from './data.ts'

export { deleteMails, deleteSms, readMails, readSms } from './data.ts'
export type { SandboxMail, SandboxSms } from './data.ts'
export { sandboxSms } from './sms.ts'

/**
 * A mailbox in a table, shown at /sandbox. The address selects a fault: `name+refused@…` is refused for good, `+retry` fails at
 * the first attempt, `+fail` at each one, `+slow` takes 3 s, `+twice` arrives twice, `+never` is accepted and does not arrive.
 */
export const sandbox: MailVendor = {
  id: 'sandbox',
  sandbox: true,
  open: ({ sql, clock }) => ({
    send: async (mail) => {
      const wish = /\+(\w+)@/.exec(mail.to)?.[1]
      if (wish === 'refused') throw rejectedError('mailbox', 'sandbox: refused')
      if (wish === 'fail' || (wish === 'retry' && mail.attempt === 1)) throw retryableError('supplier_fault', `sandbox: ${wish}`)
      if (wish === 'slow') await new Promise((resolve) => setTimeout(resolve, 3000))
      if (wish !== 'never') await putMail(sql, mail, clock.now())
      if (wish === 'twice') await putMail(sql, mail, clock.now(), true)
    },
    close: async () => {},
  }),
}
