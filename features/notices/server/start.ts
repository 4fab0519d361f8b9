import type { Deps } from '#platform/server/feature.ts'
import type { PlatformConfig } from '#platform/server/config.ts'
import { noticesConfigOf } from './config.ts'
import { closeMailer } from './mailer.ts'
import { mailVendorOf } from './vendors/index.ts'

/** Whether mails may be read at /sandbox: everywhere but in production, and there only by name. */
export function sandboxMailAllowed(config: Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>): boolean {
  return config.STAGE !== 'production' || config.ALLOW_SANDBOX.includes('mail')
}

/** Refuses to start where mails would silently not leave; returns what closes the connections. */
export async function startNotices(deps: Deps): Promise<() => Promise<void>> {
  const config = noticesConfigOf(deps.config)
  if (mailVendorOf(config).sandbox && !sandboxMailAllowed(config)) {
    throw new Error('production needs SMTP_URL: the mail sandbox is allowed there only by ALLOW_SANDBOX=mail')
  }
  if (config.SMTP_URL && !config.MAIL_FROM) throw new Error('SMTP_URL needs MAIL_FROM: the address that mails come from')
  return () => closeMailer(deps)
}
