import type { Deps } from '#platform/server/feature.ts'
import { noticesConfigOf } from './config.ts'
import type { NoticesConfig } from './config.ts'
import { mailVendorOf } from './vendors/index.ts'
import type { OpenMailVendor } from './vendors/port.ts'

/** One open vendor a configuration: SMTP connections are kept and shared by all jobs of the process. */
const open = new Map<object, OpenMailVendor>()

export function mailer(deps: Pick<Deps, 'config' | 'db' | 'clock'>): { vendor: string; send: OpenMailVendor['send'] } {
  const config = noticesConfigOf(deps.config)
  const vendor = mailVendorOf(config)
  const opened = open.get(deps.config) ?? vendor.open({ config, sql: deps.db, clock: deps.clock })
  open.set(deps.config, opened)
  return { vendor: vendor.id, send: opened.send }
}

export async function closeMailer(deps: Pick<Deps, 'config'>): Promise<void> {
  const opened = open.get(deps.config)
  open.delete(deps.config)
  await opened?.close()
}

/** Sender of mails, and the domain of their Message-IDs. */
export function senderOf(config: NoticesConfig): { mailbox: string; domain: string } {
  const mailbox = config.MAIL_FROM ?? `${config.BRAND_NAME} <no-reply@mingxi.example>`
  return { mailbox, domain: /@([^\s@<>]+)>?$/.exec(mailbox)?.[1] ?? 'localhost' }
}
