import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aFundedUser, aHold } from '#features/wallet/server/builders.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { aUser } from '../builders.ts'
import { loadMailChoices } from '../door.ts'
import { account } from '../index.ts'
import { gradualPercent, gradualUsers } from '../settings.ts'

const db = await useTestDb()
const clock = createTestClock()
const { callAs, deps } = createTestApp({ features: [account, notices, risk, wallet], db, clock })

test('names, language and theme change one by one; a name is cleared by null', async () => {
  const user = await aUser(deps)
  const me = callAs(user.token)
  expect((await me('POST', '/user/updateUserInfo', { name: ' 王伟 ', firstName: 'Wei', lastName: 'Wang' })).code).toBe(200)
  expect((await me('POST', '/user/updateUserInfo', { language: 'en', theme: 'dark' })).code).toBe(200)
  const shown = { name: '王伟', firstName: 'Wei', lastName: 'Wang', language: 'en', theme: 'dark' }
  expect((await me('GET', '/user/info')).data).toMatchObject(shown)
  expect((await me('POST', '/user/updateUserInfo', {})).code).toBe(200)
  expect((await me('POST', '/user/updateUserInfo', { name: null })).code).toBe(200)
  expect((await me('GET', '/user/info')).data).toMatchObject({ ...shown, name: '' })
  for (const bad of [{ name: 'x'.repeat(51) }, { name: 'a\u202eb' }, { name: 'two\nlines' }, { language: 'fr' }, { theme: 'red' }])
    expect((await me('POST', '/user/updateUserInfo', bad)).status).toBe(400)
  const emoji = '👩‍👩‍👧 Zoë Ω שלום'
  await me('POST', '/user/updateUserInfo', { name: emoji })
  expect((await me('GET', '/user/info')).data.name).toBe(emoji)
})

test('the user’s facts have the balance of the wallet and no card number without a card', async () => {
  const user = await aUser(deps)
  const info = async () => (await callAs(user.token)('GET', '/user/info')).data
  expect(await info()).toMatchObject({ balance: '0', cardNo: null })
  await aFundedUser(db, { userId: user.userId, purchased: parseUsd('12.345678901'), granted: parseUsd('0.5') })
  await aHold(db, user.userId, { amount: parseUsd('2') })
  expect((await info()).balance).toBe('12.845678901')
  expect((await info()).balance).toBe((await callAs(user.token)('GET', '/v1/userWrapperApi/balanceInfo')).data.balance)
})

test('invoice details are kept whole; mail choices change one by one and are readable by other features', async () => {
  const user = await aUser(deps)
  const me = callAs(user.token)
  const defaults = { loginAlert: true, receipt: true, balanceAlert: true, productNews: false }
  expect((await me('GET', '/user/preferences')).data).toEqual({ invoice: null, mails: defaults })
  const invoice = { userName: '王 Wei', email: 'a@b.co', country: '中国', state: '广东', city: '深圳', addressLine: '某路 1 号', postalCode: '518000' }
  expect((await me('POST', '/user/updateInvoiceDetails', { ...invoice, city: '' })).status).toBe(400)
  expect((await me('POST', '/user/updateInvoiceDetails', { ...invoice, role: 'admin' })).code).toBe(200)
  expect((await me('POST', '/user/updateMailChoices', { receipt: false })).data).toEqual({ ...defaults, receipt: false })
  expect((await me('POST', '/user/updateMailChoices', { productNews: true })).data).toEqual({ ...defaults, receipt: false, productNews: true })
  expect((await me('GET', '/user/preferences')).data).toEqual({ invoice, mails: { ...defaults, receipt: false, productNews: true } })
  expect(await loadMailChoices(db, user.userId)).toEqual({ ...defaults, receipt: false, productNews: true })
  expect(await loadMailChoices(db, 'usr_nobody')).toEqual(defaults)
})

test('a tip is seen once, on every device', async () => {
  const user = await aUser(deps)
  const me = callAs(user.token)
  expect((await me('POST', '/user/useTips')).data).toEqual({ seen: [], isFirst: false })
  const asked = await Promise.all(Array.from({ length: 10 }, () => me('POST', '/user/useTips', { tip: 'new-models' })))
  expect(asked.filter(({ data }) => data.isFirst)).toHaveLength(1)
  expect((await me('POST', '/user/useTips', { tip: 'set-password' })).data).toEqual({ seen: ['new-models', 'set-password'], isFirst: true })
  for (let n = 0; n < 210; n++) await me('POST', '/user/useTips', { tip: `t${n}` })
  expect((await me('POST', '/user/useTips')).data.seen).toHaveLength(200)
  expect((await me('POST', '/user/useTips', { tip: '<script>' })).status).toBe(400)
})

test('the gradual-release group: by name, and a share that only grows', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => aUser(deps)))
  const group = async () => Promise.all(users.map(async (user) => (await callAs(user.token)('GET', '/user/isGradual')).data.isGradual as boolean))
  const set = (percent: number, named: string[]) =>
    transact(db, SYSTEM, async (tx) => {
      await deps.settings.set(tx, gradualPercent, percent)
      await deps.settings.set(tx, gradualUsers, named)
    })
  expect(await group()).toEqual(users.map(() => false))
  await set(0, [users[3]!.userId])
  expect((await group()).map((inside, at) => inside && at).filter((at) => at !== false)).toEqual([3])
  await set(50, [])
  const half = await group()
  await set(80, [])
  const more = await group()
  expect(half.every((inside, at) => !inside || more[at])).toBe(true)
  await set(100, [])
  expect(await group()).toEqual(users.map(() => true))
})
