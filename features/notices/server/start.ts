import { allowsSandbox } from '#platform/server/config.ts'
import type { SettingProblem } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { readNoticesConfig } from './config.ts'
import { closeMailer } from './mailer.ts'
import { chooseMailVendor } from './vendors/index.ts'

/** Requires an SMTP server for the worker in production, because the worker sends all mails. */
export function findMailProblems(config: Deps['config'], roles: ReadonlySet<string>): SettingProblem[] {
  const own = readNoticesConfig(config)
  if (roles.has('worker') && chooseMailVendor(own).sandbox && !allowsSandbox(own, 'mail'))
    return [
      {
        setting: 'SMTP_URL',
        problem: 'server for outgoing mail, smtp://… or smtps://…, with MAIL_FROM. ALLOW_SANDBOX=mail keeps mails in a mailbox here',
      },
    ]
  if (own.SMTP_URL && !own.MAIL_FROM) return [{ setting: 'MAIL_FROM', problem: 'sender of mails, "Name <address>"; SMTP_URL needs it' }]
  return []
}

/** Returns a function that closes the connections. */
export async function startNotices(deps: Deps): Promise<() => Promise<void>> {
  return () => closeMailer(deps)
}
