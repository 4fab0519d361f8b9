import { spawn } from 'node:child_process'
import { createCipheriv, randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { loadInstallationKeys } from '#platform/server/sealing/installation-key.ts'
import { deriveKey, computeKeyId, seal, buildSealMark, unseal } from '#platform/server/sealing/seal.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { resolveProgram } from '#platform/testing/programs.ts'
import { aPayPassword, aUser, readMailedCode, signInBuiltUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { aWithdrawal } from '#features/payments/server/builders.ts'
import { computeAccountDigest } from '#features/payments/server/withdrawals/account-seal.ts'
import { aCaptchaParam, chooseCaptcha } from '#features/risk/server/builders.ts'
import { aConversation } from '#features/support/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { features } from './features.ts'

// Rotation of the installation's key: K1 is current, then K2 with K1 beside it, then K2 alone. No data is lost on the way.
const [K1, K2] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const createKeys = (current: string, ...others: string[]) => loadInstallationKeys({ SECRET_KEY: current, SECRET_KEYS_OTHER: others, STAGE: 'qa' }, '')
const db = await useTestDb()
const withKeys = (secretKeys: ReturnType<typeof createKeys>) => createTestApp({ features, db, overrides: { secretKey: secretKeys[0], secretKeys } })
const [before, between, after] = [withKeys(createKeys(K1)), withKeys(createKeys(K2, K1)), withKeys(createKeys(K2))]
const [old, fresh] = [createKeys(K1)[0], createKeys(K2)[0]]
const formatKeyId = (key: Buffer) => computeKeyId(key).toString('hex')
const PIN = '849371'
const HOOKS = 450
let user: BuiltUser

/** Seals a value in the format from before keys had versions. */
function sealUnversioned(key: Buffer, purpose: string, { owner, text }: { readonly owner: string; readonly text: string }): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, purpose), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

beforeAll(async () => {
  await features.find((feature) => feature.name === 'gateway')?.start?.(before.deps, new Set(['api']))
  await chooseCaptcha(before.deps, 'off')
  user = await aUser(before.deps)
  await aFundedUser(db, { userId: user.userId })
  await aPayPassword(before.deps, user.userId, PIN)
  await aWithdrawal(before.deps, { userId: user.userId, amount: '2' })
  for (let at = 0; at < HOOKS; at++) {
    const owner = `hook_${String(at).padStart(4, '0')}`
    const secret =
      at % 2 ? seal(old, 'gateway.webhook', { owner, text: `whsec_${at}` }) : sealUnversioned(old, 'gateway.webhook', { owner, text: `whsec_${at}` })
    await db.query(`insert into gateway_alert_settings (user_id, webhook_url, webhook_secret) values ($1, 'https://hooks.example.com/', $2)`, [owner, secret])
  }
})

const callAs = (app: typeof before, who = user) => app.callAs(who.token)

test('a sealed value opens under its key, owner and purpose only, also one sealed before key versions', () => {
  for (const sealed of [seal(old, 'p', { owner: 'o', text: 'text' }), sealUnversioned(old, 'p', { owner: 'o', text: 'text' })]) {
    expect(unseal([fresh, old], 'p', { owner: 'o', sealed })).toBe('text')
    for (const open of [
      () => unseal([fresh], 'p', { owner: 'o', sealed }),
      () => unseal([old], 'q', { owner: 'o', sealed }),
      () => unseal([old], 'p', { owner: 'x', sealed }),
    ])
      expect(open).toThrow()
    sealed[sealed.length - 1]! ^= 1
    expect(() => unseal([old], 'p', { owner: 'o', sealed })).toThrow()
  }
  // An unversioned value whose nonce happens to look like a seal mark.
  const lookalike = sealUnversioned(old, 'p', { owner: 'o', text: 'text' })
  const cipher = createCipheriv('aes-256-gcm', deriveKey(old, 'p'), Buffer.concat([buildSealMark(fresh), lookalike.subarray(5, 12)])).setAAD(Buffer.from('o'))
  const body = Buffer.concat([cipher.update('text', 'utf8'), cipher.final()])
  expect(unseal([fresh, old], 'p', { owner: 'o', sealed: Buffer.concat([buildSealMark(fresh), lookalike.subarray(5, 12), cipher.getAuthTag(), body]) })).toBe(
    'text',
  )
})

test('codes, keys and orders made under the old key work with the new one beside it', async () => {
  // A mailed code, and a mail that was still queued.
  expect((await callAs(before)('POST', '/user/sendSecondaryVerify', { by: 'email' })).code).toBe(200)
  await before.settle()
  const code = await readMailedCode(before.deps, user.email)
  const stepped = await callAs(between)('POST', '/user/secondaryVerify', { verifyCode: code })
  expect(stepped.code).toBe(200)
  user = { ...user, token: stepped.data.token }
  // A key requested twice.
  const asked = { keyName: 'k', requestKey: 'one request, sent twice' }
  const made = (await callAs(before)('POST', '/user/key/generate', asked)).data
  expect((await callAs(between)('POST', '/user/key/generate', asked)).data).toEqual(made)
  // An order sent twice.
  const order = { orderType: 10, amount: '20', channelType: 25, transactionType: 1, tradeFrom: 'QRCODE' }
  const first = await callAs(before)('POST', '/api/go/v1/payOrder', order, { idempotencyKey: 'one order' })
  const again = await callAs(between)('POST', '/api/go/v1/payOrder', order, { idempotencyKey: 'one order' })
  expect([first.code, again.data]).toEqual([200, first.data])
  expect((await callAs(between)('POST', '/api/go/v1/payOrder', { ...order, amount: '21' }, { idempotencyKey: 'one order' })).code).toBe(4002)
  // A visitor's conversation, and a solved captcha.
  const { id, visitorToken } = await aConversation(before.deps)
  const read = { conversationId: id, visitorToken }
  expect((await between.call('POST', '/common/support/messages', read)).code).toBe(200)
  expect((await after.call('POST', '/common/support/messages', read)).code).not.toBe(200)
  await chooseCaptcha(before.deps, 'altcha')
  const captchaVerifyParam = await aCaptchaParam(before.deps, 'login')
  const login = { email: user.email, password: user.password, captchaVerifyParam }
  expect((await between.call('POST', '/user/passwordLogin', login)).code).toBe(200)
  await chooseCaptcha(before.deps, 'off')
  // A payout's account is recognised, and known places do not count as new.
  const other = await aUser(before.deps)
  await aFundedUser(db, { userId: other.userId })
  const withdrawalNo = await aWithdrawal(before.deps, { userId: other.userId, amount: '2' })
  expect((await callAs(between, other)('POST', '/v1/userWrapperApi/cancelWithdrawal', { withdrawalNo }, { idempotencyKey: 'cancel' })).code).toBe(200)
  const changed = () => db.query<{ changedAt: Date }>('select changed_at from payments_payout_accounts where user_id = $1', [other.userId])
  const [was] = await changed()
  await aWithdrawal(between.deps, { userId: other.userId, amount: '2' })
  expect(await changed()).toEqual([was])
  const places = () => db.query<{ n: number }>(`select count(*)::int as n from notices_mails where dedupe like 'account.login:%'`)
  const told = await places()
  await signInBuiltUser(between.deps, user)
  expect(await places()).toEqual(told)
})

/** Runs the command; resolves to its output and exit. */
async function reseal(env: Record<string, string>): Promise<{ out: string; end: number | string | null }> {
  const child = spawn(process.execPath, [await resolveProgram('apps/server/reseal-command.ts')], {
    env: { ...process.env, STAGE: 'qa', DATABASE_URL: db.url, SECRET_KEY: K2, SECRET_KEYS_OTHER: K1, ...env },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (out += text))
  return new Promise((done) => child.on('close', (code, signal) => done({ out, end: signal ?? code })))
}
const waiting = async () =>
  (
    await db.query<{ n: number }>('select count(*)::int as n from gateway_alert_settings where substring(webhook_secret from 1 for 5) <> $1', [
      buildSealMark(fresh),
    ])
  )[0]!.n

test('a reseal killed in the middle and run again loses nothing; then the old key is not needed', async () => {
  // Each column is one batch, the webhooks are three: killed in the second of theirs, twice.
  const place = features.flatMap((feature) => feature.sealed ?? []).findIndex(({ table }) => table === 'gateway_alert_settings') + 1
  for (const left of [HOOKS - 200, HOOKS - 400]) {
    const { end } = await reseal({ CRASH_AT: `secrets.before-commit:${place + 1}` })
    expect([end, await waiting()]).toEqual(['SIGKILL', left])
    for (const { userId, webhookSecret } of await db.query<{ userId: string; webhookSecret: Buffer }>(
      'select user_id, webhook_secret from gateway_alert_settings',
    ))
      expect(unseal(between.deps.secretKeys, 'gateway.webhook', { owner: userId, sealed: webhookSecret })).toBe(`whsec_${Number(userId.slice(5))}`)
  }
  const { out, end } = await reseal({})
  expect([end, await waiting()]).toEqual([0, 0])
  // The payment password keeps its key until its owner enters it.
  expect(out).toContain(`waiting for key ${formatKeyId(old)}: 1 in account_pay_passwords`)
  expect(out).toContain(`key ${formatKeyId(old)} is still needed`)
  const changes = () => db.query<{ hash: string }>('select hash from account_pay_passwords')
  const [was] = await changes()
  expect((await callAs(between)('POST', '/account/verifyPayPassword', { password: '111999' })).data.resultType).toBe(2)
  expect(await changes()).toEqual([was])
  expect((await callAs(between)('POST', '/account/verifyPayPassword', { password: PIN })).data).toEqual({ resultType: 0, failCount: 0 })
  // Values shared by accounts keep theirs too, for 400 days at most.
  expect((await reseal({})).out).toContain('in risk marks')
  await db.query('delete from risk_marks')
  const done = await reseal({})
  expect([done.end, done.out]).toEqual([0, expect.stringContaining(`key ${formatKeyId(old)} is no longer needed`)])
  // With the new key only.
  expect((await callAs(after)('POST', '/account/verifyPayPassword', { password: PIN })).data).toEqual({ resultType: 0, failCount: 0 })
  const kept = await db.query<{ owner: string; sealed: Buffer }>(
    `select withdrawal_no as owner, sealed from payments_withdrawals where sealed is not null union all select user_id, sealed from payments_payout_accounts`,
  )
  expect(kept.length).toBe(4)
  for (const { owner, sealed } of kept) expect(unseal([fresh], 'payments.payout.seal', { owner, sealed })).toContain('wang@example.com')
  const [account] = await db.query<{ userId: string; digest: Buffer }>('select user_id, digest from payments_payout_accounts where user_id = $1', [user.userId])
  expect(account!.digest).toEqual(computeAccountDigest(fresh, user.userId, { alipay: 'wang@example.com', name: '王小明' }))
})

test('a payment password whose key is gone is reset by a code, and costs no tries', async () => {
  const other = await aUser(before.deps)
  await aPayPassword(before.deps, other.userId, PIN)
  for (let turn = 0; turn < 7; turn++) expect((await callAs(after, other)('POST', '/account/verifyPayPassword', { password: PIN })).data.resultType).toBe(3)
  expect(await db.query('select tries, streak from account_pay_passwords where user_id = $1', [other.userId])).toEqual([{ tries: 0, streak: 0 }])
  expect((await callAs(before, other)('POST', '/account/verifyPayPassword', { password: PIN })).data.resultType).toBe(0)
})

test('a value that no key opens is reported, left as it is, and fails the command', async () => {
  await db.query(`insert into gateway_alert_settings (user_id, webhook_url, webhook_secret) values ('lost', 'https://hooks.example.com/', $1)`, [
    randomBytes(60),
  ])
  const { out, end } = await reseal({})
  expect([end, out]).toEqual([1, expect.stringContaining('1 rows that no key opens, left as they are: lost')])
})
