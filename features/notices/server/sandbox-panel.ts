import { allowsSandbox } from '#platform/server/config.ts'
import type { Deps, SandboxPanel } from '#platform/server/feature.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { listSandboxMails, listSandboxSms } from './door.ts'

/** Mails kept by the sandbox, for `/sandbox`. */
export async function buildMailPanel(deps: Deps): Promise<SandboxPanel> {
  const mails = allowsSandbox(deps.config, 'mail') ? await listSandboxMails(deps.db, undefined, 30) : []
  return {
    title: '邮件 Mails',
    about: '没有配置 SMTP_URL 时，邮件停在这里。 Without SMTP_URL, mails stay here.',
    columns: ['时间 Time', '收件人 To', '验证码 Code', '主题 Subject', '正文 Text'],
    rows: mails.map((mail) => [toShanghaiTime(mail.at), mail.to, mail.code ?? '–', mail.subject, mail.text]),
  }
}

/** Text messages kept by the sandbox. */
export async function buildSmsPanel(deps: Deps): Promise<SandboxPanel> {
  const messages = allowsSandbox(deps.config, 'sms') ? await listSandboxSms(deps.db, undefined, 30) : []
  return {
    title: '短信 Text messages',
    about:
      '没有配置短信服务时，短信停在这里。号码尾号决定结果：0400 拒收，0500 每次失败，0501 首次失败，0502 回执丢失，0300 慢 3 秒，0200 收到两条，0404 收不到。 Without a carrier, messages stay here; the last four digits choose how it ends.',
    columns: ['时间 Time', '收件人 To', '验证码 Code', '正文 Text'],
    rows: messages.map((sms) => [toShanghaiTime(sms.at), sms.to, sms.code ?? '–', sms.text]),
  }
}
