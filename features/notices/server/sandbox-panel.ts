import type { Deps, SandboxPanel } from '#platform/server/feature.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { listSandboxMails } from './door.ts'
import { sandboxMailAllowed } from './start.ts'

/** The mails that did not leave, for `/sandbox`. */
export async function mailPanel(deps: Deps): Promise<SandboxPanel> {
  const mails = sandboxMailAllowed(deps.config) ? await listSandboxMails(deps.db, undefined, 30) : []
  return {
    title: '邮件 Mails',
    about: '没有配置 SMTP_URL 时，邮件停在这里。 Without SMTP_URL, mails stay here.',
    columns: ['时间 Time', '收件人 To', '验证码 Code', '主题 Subject', '正文 Text'],
    rows: mails.map((mail) => [shanghaiTime(mail.at), mail.to, mail.code ?? '–', mail.subject, mail.text]),
  }
}
