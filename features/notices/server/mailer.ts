import type { Deps } from '#platform/server/feature.ts'
import { readNoticesConfig } from './config.ts'
import type { NoticesConfig } from './config.ts'
import { chooseMailVendor } from './vendors/index.ts'
import type { OpenMailVendor } from './vendors/port.ts'

/** One open vendor per configuration: SMTP connections are kept and shared by all jobs of the process. */
const openMailers = new Map<object, OpenMailVendor>()

export function getMailer(deps: Pick<Deps, 'config' | 'db' | 'clock'>): { vendor: string; send: OpenMailVendor['send'] } {
  const config = readNoticesConfig(deps.config)
  const vendor = chooseMailVendor(config)
  const opened = openMailers.get(deps.config) ?? vendor.open({ config, sql: deps.db, clock: deps.clock })
  openMailers.set(deps.config, opened)
  return { vendor: vendor.id, send: opened.send }
}

export async function closeMailer(deps: Pick<Deps, 'config'>): Promise<void> {
  const opened = openMailers.get(deps.config)
  openMailers.delete(deps.config)
  await opened?.close()
}

/** Sender of mails, and the domain of their Message-IDs. */
export function resolveSender(config: NoticesConfig): { mailbox: string; domain: string } {
  const mailbox = config.MAIL_FROM ?? `${config.BRAND_NAME} <no-reply@mingxi.example>`
  return { mailbox, domain: /@([^\s@<>]+)>?$/.exec(mailbox)?.[1] ?? 'localhost' }
}
