import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { noticesConfigOf } from './config.ts'
import { closeMailer } from './mailer.ts'
import { mailVendorOf } from './vendors/index.ts'

/** Refuses to start where mails would silently not leave; returns what closes the connections. */
export async function startNotices(deps: Deps): Promise<() => Promise<void>> {
  const config = noticesConfigOf(deps.config)
  if (mailVendorOf(config).sandbox && !allowsSandbox(config, 'mail')) {
    throw new Error('production needs SMTP_URL: the mail sandbox is allowed there only by ALLOW_SANDBOX=mail')
  }
  if (config.SMTP_URL && !config.MAIL_FROM) throw new Error('SMTP_URL needs MAIL_FROM: the address that mails come from')
  return () => closeMailer(deps)
}
