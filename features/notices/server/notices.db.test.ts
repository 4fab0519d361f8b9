import PostalMime from 'postal-mime'
import { expect, onTestFinished, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { startSmtp } from '#stand-ins/smtp/index.ts'
import { listSandboxMails, resendMail, sendMail } from './door.ts'
import type { MailOrder, MailTemplate } from './door.ts'
import { notices, findMailProblems } from './index.ts'
import { closeMailer } from './mailer.ts'
import { deliverMail } from './verbs/deliver-mail.ts'
import { sweepNotices } from './verbs/sweep-notices.ts'

const db = await useTestDb()
const words = { subject: '【{brand}】验证码 {code}', body: '你好 {who}：\n\n{code}\n\n{link}' }
const template: MailTemplate = {
  name: 'test.code',
  texts: { ...mapLangs(() => ({ subject: '{brand} code {code}', body: 'Hello {who}:\n\n{code}\n\n{link}' })), zh: words },
  subject: 'subject',
  body: 'body',
}
const SECRET = '731904'

let orders = 0
async function order(app: TestApp, over: Partial<MailOrder> = {}): Promise<string> {
  const to = over.to ?? `reader${++orders}@example.com`
  await transact(db, SYSTEM, (tx) =>
    sendMail(app.deps, tx, {
      to,
      template,
      values: { code: SECRET, who: '<b>王&"小明"</b>', link: 'https://mingxi.example/?a=1&b=2' },
      lang: 'zh',
      dedupe: `test:${to}`,
      ...over,
    }),
  )
  return to
}
const rowOf = async (to: string) => (await db.query(`select * from notices_mails where recipient = $1`, [to]))[0]

/** A real SMTP server on a free port; `refuse` decides the response to a recipient. */
async function smtpServer(refuse: NonNullable<Parameters<typeof startSmtp>[0]>['refuse'] = () => undefined) {
  const smtp = await startSmtp({ refuse })
  const app = createTestApp({ features: [notices], db, env: { SMTP_URL: smtp.url, MAIL_FROM: '明细 <no-reply@mingxi.example>' } })
  onTestFinished(async () => {
    await closeMailer(app.deps)
    await smtp.close()
  })
  return { app, received: smtp.received }
}

const refusal = (code: number) => ({ code, text: 'no' })

test('a real mail has text, HTML, clean headers and a stable id; its secret is kept neither in plain text nor after sending', async () => {
  const { app, received } = await smtpServer()
  const to = await order(app)
  const waiting = await rowOf(to)
  expect(JSON.stringify(waiting)).not.toContain(SECRET)
  expect((waiting!['content'] as Buffer).includes(Buffer.from(SECRET))).toBe(false)
  await app.settle()
  const mail = await PostalMime.parse(received[0]!.raw)
  expect(mail.subject).toBe('【明细】验证码 731904')
  expect(mail.from).toEqual({ name: '明细', address: 'no-reply@mingxi.example' })
  expect(mail.to).toEqual([{ name: '', address: to }])
  expect(mail.messageId).toBe(`<${waiting!['id']}@mingxi.example>`)
  expect(mail.text).toContain('你好 <b>王&"小明"</b>：\n\n731904\n\nhttps://mingxi.example/?a=1&b=2')
  expect(mail.html).toContain('你好 &lt;b&gt;王&amp;&quot;小明&quot;&lt;/b&gt;：')
  expect(mail.html).toContain('href="https://mingxi.example/?a=1&amp;b=2"')
  expect(mail.html).toContain('prefers-color-scheme:dark')
  expect(mail.html).toContain('lang="zh-CN"')
  expect(mail.headers.find((header) => header.key === 'auto-submitted')?.value).toBe('auto-generated')
  expect(await rowOf(to)).toMatchObject({ state: 'sent', vendor: 'smtp', content: null, attempts: 1 })
  expect(await listSandboxMails(db, to)).toEqual([])
})

test('a mailbox that does not exist is not retried; a busy one is, under the same Message-ID', async () => {
  const { app, received } = await smtpServer((to, attempt) => (to.startsWith('gone') ? refusal(550) : attempt === 2 ? refusal(451) : undefined))
  const gone = await order(app, { to: 'gone@example.com' })
  await app.settle(1)
  expect(await rowOf(gone)).toMatchObject({ state: 'refused', content: null, attempts: 1 })
  const busy = await order(app, { to: 'busy@example.com' })
  await app.settle(3)
  expect(await rowOf(busy)).toMatchObject({ state: 'sent', attempts: 2 })
  expect(received).toHaveLength(1)
})

test('without a connection the mail waits, and the stored reason has nothing of its content', async () => {
  const app = createTestApp({ features: [notices], db, env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.c' } })
  const to = await order(app)
  await expect(app.settle(1)).rejects.toThrow('smtp:')
  const row = await rowOf(to)
  expect(row).toMatchObject({ state: 'waiting', attempts: 1, claimedUntil: null })
  expect(row!['problem']).not.toMatch(/731904|reader/)
  await closeMailer(app.deps)
})

test('one event has one mail, parallel orders and parallel runs included', async () => {
  const app = createTestApp({ features: [notices], db })
  const to = 'once@example.com'
  await Promise.all(Array.from({ length: 20 }, () => order(app, { to, dedupe: 'event-1' })))
  expect(app.waiting()).toHaveLength(1)
  const { id } = (await rowOf(to)) as { id: string }
  await Promise.allSettled(Array.from({ length: 20 }, () => deliverMail(app.deps, id)))
  await app.settle()
  expect(await listSandboxMails(db, to)).toHaveLength(1)
})

test('a mail without a secret is sent again, word for word, three times a day; one with a code never, nor what is not kept any more', async () => {
  const clock = createTestClock()
  const app = createTestApp({ features: [notices], db, clock })
  const plain = { subject: '{brand}: paid', body: 'Order {orderNo} is paid' }
  const paid: MailTemplate = { name: 'test.paid', texts: mapLangs(() => plain), subject: 'subject', body: 'body', repeatable: true }
  const to = await order(app, { template: paid, values: { orderNo: '77' } })
  const { id } = (await rowOf(to)) as { id: string }
  const again = (mailId = id, whose = to) => transact(db, SYSTEM, (tx) => resendMail(app.deps, tx, { mailId, to: whose }))
  const name = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: { errorName?: string }) => error.errorName,
    )
  expect(await name(again())).toBe('NOTICE_NOT_KEPT')
  await app.settle()
  expect(await rowOf(to)).toMatchObject({ state: 'sent', content: null })
  expect(await name(again(id, 'another@example.com'))).toBe('NOT_FOUND')
  const answers = await Promise.all(Array.from({ length: 8 }, () => name(again())))
  expect(answers.toSorted()).toEqual([...Array(5).fill('NOTICE_RESENT'), ...Array(3).fill('done')])
  await app.settle()
  const sent = await listSandboxMails(db, to)
  expect([sent.length, new Set(sent.map(({ subject, text, html }) => subject + text + html)).size]).toEqual([4, 1])
  // a copy counts towards the limit of its original
  const [copy] = await db.query<{ id: string }>('select id from notices_mails where resent_from = $1 limit 1', [id])
  expect(await name(again(copy!.id))).toBe('NOTICE_RESENT')
  clock.advance(86_400_000)
  expect(await name(again(copy!.id))).toBe('done')
  await app.settle()
  clock.advance(15 * 86_400_000)
  await sweepNotices(app.deps)
  expect(await name(again())).toBe('NOTICE_NOT_KEPT')
  expect(await db.query('select count(*)::int as n from notices_mails where kept is not null')).toEqual([{ n: 0 }])

  const coded = await order(app, { template: { ...template, repeatable: true } })
  await app.settle()
  const row = (await rowOf(coded))!
  expect([row['state'], row['kept'], await name(again(row['id'] as string, coded))]).toEqual(['sent', null, 'NOTICE_NOT_KEPT'])
})

test('an order undone with its transaction sends nothing', async () => {
  const app = createTestApp({ features: [notices], db })
  await expect(
    transact(db, SYSTEM, async (tx) => {
      await sendMail(app.deps, tx, { to: 'undone@example.com', template, values: {}, lang: 'en', dedupe: 'undone' })
      throw new Error('undo')
    }),
  ).rejects.toThrow('undo')
  expect(app.waiting()).toEqual([])
  expect(await rowOf('undone@example.com')).toBeUndefined()
})

test('a mail that comes too late is not sent and its content is emptied', async () => {
  const clock = createTestClock()
  const app = createTestApp({ features: [notices], db, clock })
  const late = await order(app, { goodForSeconds: 600 })
  clock.advance(600_000)
  await app.settle()
  expect(await rowOf(late)).toMatchObject({ state: 'expired', content: null })
  const lost = await order(app, { goodForSeconds: 600 })
  clock.advance(600_000)
  await sweepNotices(app.deps)
  expect(await rowOf(lost)).toMatchObject({ state: 'expired', content: null })
  clock.advance(31 * 86_400_000)
  await sweepNotices(app.deps)
  expect(await rowOf(lost)).toBeUndefined()
})

test('after a crash in mid-sending the mail is sent once the lease is over', async () => {
  const clock = createTestClock()
  const app = createTestApp({ features: [notices], db, clock })
  const to = await order(app)
  await db.query(`update notices_mails set claimed_until = $2, attempts = 1 where recipient = $1`, [to, new Date(clock.now().getTime() + 120_000)])
  await expect(app.settle(1)).rejects.toThrow('another run')
  clock.advance(120_000)
  await deliverMail(app.deps, (await rowOf(to))!['id'] as string)
  expect(await rowOf(to)).toMatchObject({ state: 'sent', attempts: 2 })
})

test.each([
  ['refused', 'refused', 0],
  ['retry', 'sent', 1],
  ['twice', 'sent', 2],
  ['never', 'sent', 0],
] as const)('the sandbox behaves badly on request: +%s', async (wish, state, arrived) => {
  const app = createTestApp({ features: [notices], db })
  const to = await order(app, { to: `someone+${wish}@example.com` })
  await app.settle()
  expect(await rowOf(to)).toMatchObject({ state })
  expect(await listSandboxMails(db, to)).toHaveLength(arrived)
})

test('the sandbox route lists an address, newest first, with the code', async () => {
  const app = createTestApp({ features: [notices], db })
  const to = await order(app, { to: 'list@example.com', dedupe: 'list-1' })
  await app.settle()
  await order(app, { to, dedupe: 'list-2', lang: 'en', values: { code: '000001', who: 'A', link: 'x' } })
  await app.settle()
  const reply = await app.inject({ url: '/sandbox/mails', query: { to: 'LIST@example.com' } })
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject([
    { to, subject: 'Mingxi code 000001', code: '000001' },
    { to, subject: '【明细】验证码 731904', code: SECRET, at: expect.any(String) },
  ])
  expect(reply.json<unknown[]>()).toHaveLength(2)
})

test('production does not start with the sandbox unless told by name, nor with SMTP without a sender', async () => {
  const missing = (env: Record<string, string>, role = 'worker') =>
    findMailProblems(createTestApp({ features: [notices], db, env }).deps.config, new Set([role])).map(({ setting }) => setting)
  expect(missing({ STAGE: 'production' })).toEqual(['SMTP_URL'])
  expect(missing({ STAGE: 'production' }, 'gateway')).toEqual([])
  expect(missing({ STAGE: 'production', ALLOW_SANDBOX: 'sms' })).toEqual(['SMTP_URL'])
  expect(missing({ SMTP_URL: 'smtp://x:25' })).toEqual(['MAIL_FROM'])
  expect(missing({ STAGE: 'production', ALLOW_SANDBOX: 'sms,mail' })).toEqual([])
  expect(missing({ STAGE: 'production', SMTP_URL: 'smtp://x:25', MAIL_FROM: 'A <a@b.c>' })).toEqual([])
  expect(missing({})).toEqual([])
  const shut = createTestApp({ features: [notices], db, env: { STAGE: 'production', SMTP_URL: 'smtp://x:25', MAIL_FROM: 'a@b.c' } })
  expect((await shut.inject({ url: '/sandbox/mails' })).statusCode).toBe(404)
})
