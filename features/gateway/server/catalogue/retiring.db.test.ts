import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { listSandboxMails } from '#features/notices/server/door.ts'
import { notices } from '#features/notices/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { aKey } from '../builders.ts'
import { seedPrices } from './seed.ts'
import { mailRetiringModels } from './mail-retiring.ts'

const db = await useTestDb({ max: 10 })

test('users of a model in the last thirty days get one mail about its end, in their language; no other user does', async () => {
  await seedPrices({ db })
  const clock = createTestClock()
  const app = createTestApp({ features: [account, notices, risk], db, clock })
  const today = clock.now().getTime()
  const day = (ago: number) => new Date(today - ago * 86_400_000).toISOString().slice(0, 10)
  await db.owner.query('update gateway_models set deprecated_on = null, retires_on = null, successor = null')
  await db.owner.query('update gateway_models set deprecated_on = $1, retires_on = $2, successor = $3 where model_id = $4', [
    day(1),
    day(-30),
    'gpt-5.6-sol',
    'gpt-5',
  ])
  await db.owner.query('update gateway_models set deprecated_on = $1, retires_on = $2 where model_id = $3', [day(1), day(-10), 'o3'])
  await db.owner.query('update gateway_models set deprecated_on = $1 where model_id = $2', [day(1), 'gpt-4o'])
  const used = async (model: string, ago: number) => {
    const user = await aUser(app.deps)
    const { key } = await aKey(db, user.userId)
    for (const at of [ago, ago + 1])
      await db.query('insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest) values ($1,$2,$3,$4,1,1,1,0,1)', [
        key.accountId,
        day(at),
        model,
        key.keyId,
      ])
    return user
  }
  const [recent, old, other, undated, ending] = [
    await used('gpt-5', 3),
    await used('gpt-5', 40),
    await used('gpt-4o-mini', 1),
    await used('gpt-4o', 1),
    await used('o3', 29),
  ]
  await Promise.all([mailRetiringModels(app.deps), mailRetiringModels(app.deps)])
  await mailRetiringModels(app.deps)
  await app.settle()
  const mails = async (user: { email: string }) => (await listSandboxMails(db, user.email)).map(({ subject, text }) => ({ subject, text }))
  const [mail, ...more] = await mails(recent)
  expect(more).toEqual([])
  expect(mail!.subject).toBe(`【明细】模型 gpt-5 将于 ${day(-30)} 下线`)
  expect(mail!.text).toContain('14 天内，对它的调用由 gpt-5.6-sol 应答')
  expect(mail!.text).not.toContain('{')
  const [last, ...others] = await mails(ending)
  expect(others).toEqual([])
  expect(last!.text).toContain('没有指定的接替模型')
  for (const user of [old, other, undated]) expect(await mails(user)).toEqual([])
  // A user who first uses the model after the mailing gets the mail then.
  const late = await used('gpt-5', 0)
  clock.advance(86_400_000)
  await mailRetiringModels(app.deps)
  await app.settle()
  expect(await mails(late)).toHaveLength(1)
  expect(await mails(recent)).toHaveLength(1)
})
