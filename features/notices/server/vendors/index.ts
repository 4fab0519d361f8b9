import { allowsSandbox } from '#platform/server/config.ts'
import type { NoticesConfig } from '../config.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { aliyun } from './aliyun/index.ts'
import type { MailVendor, SmsRegion, SmsVendor } from './port.ts'
import { sandbox as plainSandbox, sandboxSms as plainSandboxSms } from './sandbox/index.ts'
import { smtp } from './smtp/index.ts'
import { twilio } from './twilio/index.ts'

export { deleteMails as deleteSandboxMails, deleteSms as deleteSandboxSms, readMails as readSandboxMails, readSms as readSandboxSms } from './sandbox/index.ts'
export type { SandboxMail, SandboxSms } from './sandbox/index.ts'

export const mailPort = { port: 'notices.mail', operations: { send: 'write' }, vendors: ['smtp', 'sandbox'] } as const satisfies SupplierPort
export const smsPort = {
  port: 'notices.sms',
  operations: { send: 'write', find: 'read' },
  vendors: ['aliyun', 'twilio', 'sandbox'],
} as const satisfies SupplierPort

const sandbox: MailVendor = { ...plainSandbox, open: (needs) => withFaults(mailPort, plainSandbox.open(needs), () => needs.sql) }
const sandboxSms: SmsVendor = { ...plainSandboxSms, open: (needs) => withFaults(smsPort, plainSandboxSms.open(needs), () => needs.sql) }

/** All mail vendors; the port's test suite runs against each. */
export const mailVendors: readonly MailVendor[] = [smtp, sandbox]
/** All carriers of text messages; their port's test suite runs against each. */
export const smsVendors: readonly SmsVendor[] = [aliyun, twilio, sandboxSms]

/** Selects the mail vendor in use: real mail if SMTP_URL is set. */
export function chooseMailVendor(config: NoticesConfig): MailVendor {
  return config.SMTP_URL ? smtp : sandbox
}

/**
 * Carriers for a region, first choice first: those of `route` with credentials, or
 * the sandbox if there are none and it is allowed. Empty: the region is not offered.
 */
export function listSmsVendors(config: NoticesConfig, route: readonly string[], region: SmsRegion): readonly SmsVendor[] {
  const real = route.flatMap((id) => smsVendors.filter((vendor) => vendor.id === id && !vendor.sandbox && vendor.regions(config).includes(region)))
  return real.length || !allowsSandbox(config, 'sms') ? real : [sandboxSms]
}
