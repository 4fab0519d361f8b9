import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { services } from '#features/services/server/index.ts'
import { workTask } from '#features/services/server/door.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import type { Mailbox } from '../../contract.ts'
import { listReceiverPorts } from '../data.ts'
import { mailbox } from '../index.ts'

export const PIN = '271828'
export const PASSWORD = 'open sesame 7'

/** A running receiver of mail, a member for each test, and the calls of the member. */
export async function startMailboxStage() {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  /** DNS of the senders: `signed.example` publishes no SPF record, so its signature alone decides; `bank.example` forbids every host. */
  const folder = mkdtempSync(join(tmpdir(), 'mailbox-'))
  const zoneFile = join(folder, 'zone.json')
  writeFileSync(
    zoneFile,
    JSON.stringify({
      'bank.example': { TXT: ['v=spf1 -all'] },
      '_dmarc.signed.example': { TXT: ['v=DMARC1; p=reject'] },
      'k1._domainkey.signed.example': { TXT: [`v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`] },
    }),
  )
  const db = await useTestDb({ max: 30 })
  const clock = createRunningClock()
  const { app, call, deps, settle, inject } = createTestApp({
    features: [mailbox, services, cards, identity, payments, wallet, account, notices, risk, support],
    db,
    clock,
    env: { PORT: '0', HOST: '127.0.0.1', MAILBOX_DOMAINS: 'box.example,second.example', MAILBOX_SMTP_PORT: '0', MAILBOX_ZONE_FILE: zoneFile },
  })
  let user: BuiltUser
  let stop: () => Promise<void>
  let port = 0
  let names = 0
  const aName = () => `name${String(++names).padStart(4, '0')}`

  beforeAll(async () => {
    stop = (await mailbox.start!(deps, new Set(['mail']))) as () => Promise<void>
    ;[port] = (await listReceiverPorts(db)) as [number]
  })
  afterAll(async () => {
    await stop()
    await app.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    user = await aMember()
  })

  async function aMember(withCard = true): Promise<BuiltUser> {
    const one = await aUser(deps)
    await aPayPassword(deps, one.userId, PIN)
    await aFundedUser(db, { userId: one.userId, purchased: 10n * NANO_PER_USD })
    if (withCard) await anActiveCard(deps, { userId: one.userId })
    return one
  }
  const post = (path: string, input: object, who: { token: string } = user) =>
    call('POST', `/reward/email${path}`, input, { token: who.token, idempotencyKey: createId('key') })
  const get = async (id: string, who = user): Promise<Mailbox> =>
    (await call('GET', '/reward/email/get', {}, { token: who.token })).data.rowList.find((box: Mailbox) => box.id === id)
  const apply = (username = aName(), who = user) => post('/apply', { username }, who)
  const posted = async () => formatUsd((await readBalance(db, user.userId)).posted)

  async function anOpenBox(who = user): Promise<Mailbox> {
    const { data } = await apply(aName(), who)
    if (data.pay)
      await call(
        'POST',
        '/v1/pay/balancePay',
        { orderType: 11, service: data.pay.service, payPassword: PIN },
        { token: who.token, idempotencyKey: createId('key') },
      )
    await workTask(deps, data.box.id)
    return (await post('/password', { id: data.box.id, password: PASSWORD, confirm: PASSWORD }, who)).data
  }
  const send = async (to: string | string[], mail: object = {}) => {
    const transport = createTransport({ host: '127.0.0.1', port, secure: false, tls: { rejectUnauthorized: false } })
    try {
      return await transport.sendMail({ from: 'OpenAI <noreply@sender.example>', to, subject: 'Your code', text: 'Code: 739204', ...mail })
    } finally {
      transport.close()
    }
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      (error: { response?: string }) => String(error.response),
    )
  const list = async (id: string, who: { token: string } = user) => post('/message/list', { id }, who)
  const pass = (id: string, what: 'deadline_at' | 'expires_at') =>
    db.owner.query(`update services_tasks set ${what} = clock_timestamp() - interval '1 second' where id = $1`, [id])

  return {
    ...{ db, clock, call, deps, settle, inject, keys },
    ...{ aMember, aName, anOpenBox, post, get, apply, posted, send, refusal, list, pass },
    /** The current test's member. */
    get user() {
      return user
    },
    get port() {
      return port
    },
  }
}
