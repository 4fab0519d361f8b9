import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { systemClock } from '#platform/server/clock.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { noticesConfig } from '../config.ts'
import { chooseMailVendor, mailVendors, readSandboxMails } from './index.ts'
import type { ReadyMail } from './port.ts'

// Contract tests for all mail vendors: add a line to `receivers` for a new one.
const db = await useTestDb()
const arrived: { to: string; raw: Buffer }[] = []
const server = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: (address, _session, done) =>
    done(address.address.includes('+refused@') ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : undefined),
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      for (const { address } of session.envelope.rcptTo) arrived.push({ to: address, raw: Buffer.concat(chunks) })
      done()
    })
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
afterAll(() => new Promise<void>((done) => server.close(done)))
const config = readConfig(
  { ...platformConfig, ...noticesConfig },
  { SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, MAIL_FROM: 'a@b.c' },
)

const receivers: Readonly<Record<string, (to: string) => Promise<readonly { subject?: string; text?: string }[]>>> = {
  smtp: (to) => Promise.all(arrived.filter((mail) => mail.to === to).map(({ raw }) => PostalMime.parse(raw))),
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
