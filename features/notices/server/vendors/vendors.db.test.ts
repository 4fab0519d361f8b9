import PostalMime from 'postal-mime'
import { afterAll, describe, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { systemClock } from '#platform/server/clock.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { startSmtp } from '#stand-ins/smtp/index.ts'
import { noticesConfig } from '../config.ts'
import { chooseMailVendor, mailVendors, readSandboxMails } from './index.ts'
import type { ReadyMail } from './port.ts'

// Contract tests for all mail vendors: add a line to `receivers` for a new one.
const db = await useTestDb()
const smtp = await startSmtp({ refuse: (to) => (to.includes('+refused@') ? { code: 550, text: '5.1.1 no such mailbox' } : undefined) })
afterAll(() => smtp.close())
const configOf = (url: string) => readConfig({ ...platformConfig, ...noticesConfig }, { SMTP_URL: url, MAIL_FROM: 'a@b.c' })
const config = configOf(smtp.url)

const receivers: Readonly<Record<string, (to: string) => Promise<readonly { subject?: string; text?: string }[]>>> = {
  smtp: (to) => Promise.all(smtp.received.filter((mail) => mail.to === to).map(({ raw }) => PostalMime.parse(raw))),
  sandbox: (to) => readSandboxMails(db, to, 10),
}
const mailTo = (to: string, over: Partial<ReadyMail> = {}): ReadyMail => ({
  messageId: `<${to.split('@')[0]}@t.example>`,
  from: '明细 <a@b.c>',
  to,
  subject: '主题 ✓',
  text: '第一行\n.\n第二行',
  html: '<p>第一行</p>',
  code: undefined,
  attempt: 1,
  ...over,
})

test('ids are unique, and SMTP_URL chooses', () => {
  expect(new Set(mailVendors.map((vendor) => vendor.id)).size).toBe(mailVendors.length)
  expect(chooseMailVendor(config).id).toBe('smtp')
  expect(chooseMailVendor({ ...config, SMTP_URL: undefined }).sandbox).toBe(true)
})

describe.each(mailVendors)('$id', (vendor) => {
  const opened = vendor.open({ config, sql: db, clock: systemClock })
  afterAll(() => opened.close())

  test('a mail arrives as it was, at its one address', async () => {
    const to = `reader-${vendor.id}@example.com`
    await opened.send(mailTo(to))
    const [mail] = await receivers[vendor.id]!(to)
    expect(mail).toMatchObject({ subject: '主题 ✓' })
    expect(mail!.text?.trim()).toBe('第一行\n.\n第二行')
    expect(await receivers[vendor.id]!(`else-${vendor.id}@example.com`)).toHaveLength(0)
  })

  test('a mailbox that does not exist is rejected', async () => {
    await expect(opened.send(mailTo(`reader-${vendor.id}+refused@example.com`))).rejects.toMatchObject({ kind: 'rejected', reason: 'mailbox' })
  })

  test('many at once all arrive', async () => {
    const tos = Array.from({ length: 20 }, (_, n) => `many${n}-${vendor.id}@example.com`)
    await Promise.all(tos.map((to) => opened.send(mailTo(to))))
    for (const to of tos) expect(await receivers[vendor.id]!(to)).toHaveLength(1)
  })
})

describe('a mail server', () => {
  const vendor = mailVendors.find(({ id }) => id === 'smtp')!
  async function send(options: Parameters<typeof startSmtp>[0], toUrl = (url: string) => url) {
    const server = await startSmtp(options)
    const opened = vendor.open({ config: configOf(toUrl(server.url)), sql: db, clock: systemClock })
    const outcome = await opened.send(mailTo('reader@example.com')).then(
      () => 'taken',
      (error: unknown) => asSupplierError(error),
    )
    await opened.close()
    await server.close()
    return outcome
  }

  test('a login is sent, and a wrong one concerns our account', async () => {
    const login = { user: 'mingxi', pass: 'secret' }
    expect(await send({ login })).toBe('taken')
    expect(await send({ login }, (url) => url.replace('secret', 'other'))).toMatchObject({ kind: 'retryable', reason: 'our_account', ours: true })
  })

  test.each([
    [421, { kind: 'retryable', reason: 'too_many' }],
    [450, { kind: 'retryable', reason: 'too_many' }],
    [452, { kind: 'retryable', reason: 'too_many' }],
    [550, { kind: 'rejected', reason: 'mailbox' }],
    [553, { kind: 'rejected', reason: 'mailbox' }],
  ])('%s to a recipient', async (code, outcome) => {
    expect(await send({ refuse: () => ({ code, text: 'no' }) })).toMatchObject(outcome)
  })

  test('a long line, a subject and a sender in Chinese are sent as a server takes them', async () => {
    const opened = vendor.open({ config, sql: db, clock: systemClock })
    const to = 'long@example.com'
    await opened.send(mailTo(to, { subject: '主题'.repeat(100), text: '长'.repeat(3000), html: `<p>${'长'.repeat(3000)}</p>` }))
    const [mail] = await receivers['smtp']!(to)
    // The id is the same at every attempt, so that a mailbox can merge duplicates.
    expect(mail).toMatchObject({ subject: '主题'.repeat(100), messageId: '<long@t.example>' })
    await opened.close()
  })
})
