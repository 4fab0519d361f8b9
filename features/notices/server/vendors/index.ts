import type { NoticesConfig } from '../config.ts'
import type { MailVendor } from './port.ts'
import { smtp } from './smtp/index.ts'
import { sandbox } from './sandbox/index.ts'

export { deleteMails as deleteSandboxMails, readMails as readSandboxMails } from './sandbox/index.ts'
export type { SandboxMail } from './sandbox/index.ts'

/** Every mail vendor; the test suite of the port runs over each. */
export const mailVendors: readonly MailVendor[] = [smtp, sandbox]

/** The one in use: real mail as soon as SMTP_URL is set. */
export function mailVendorOf(config: NoticesConfig): MailVendor {
  return config.SMTP_URL ? smtp : sandbox
}
