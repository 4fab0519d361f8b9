import { expect, test } from 'vitest'
import { parseUsd } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { aFundedUser, aHold } from './builders.ts'
import { wallet } from './index.ts'

const db = await useTestDb()
const { deps } = createTestApp({ features: [wallet], db })
const blockers = async (userId: string, lang: 'zh' | 'en' = 'zh') =>
  (await wallet.personal!.blockersOf!(deps, userId, lang)).map(({ code, text, path }) => `${code}: ${text} → ${path}`)

test('money that can be withdrawn, is in use or is owed blocks closing the account; gifts and the last dollar do not', async () => {
  expect(await blockers('usr_never_paid')).toEqual([])
  expect(await blockers(await aFundedUser(db, { purchased: parseUsd('1'), granted: parseUsd('20') }))).toEqual([])
  const rich = await aFundedUser(db, { purchased: parseUsd('1234.567') })
  expect(await blockers(rich)).toEqual(['balance: 余额中还有 $1,234.567 可提现，请先提现 → /api?tab=rechargeRecord'])
  await aHold(db, rich, { amount: parseUsd('1234') })
  expect(await blockers(rich, 'en')).toEqual(['held: $1,234.00 is in use. Wait until the calls have ended → /api?tab=requests'])
})

test('the export has the balance and every entry as decimal text', async () => {
  const userId = await aFundedUser(db, { purchased: parseUsd('5'), granted: parseUsd('0.5') })
  const part = (await wallet.personal!.exportOf!(deps, userId)) as { balance: object; entries: object[] }
  expect(part.balance).toMatchObject({ posted: '5.5', held: '0', grantedUnspent: '0.5' })
  expect(part.entries).toMatchObject([
    { seq: '2', amount: '0.5', after: '5.5' },
    { seq: '1', amount: '5', after: '5' },
  ])
  expect(() => JSON.stringify(part)).not.toThrow()
})
