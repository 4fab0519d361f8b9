import { expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { aKey } from '../builders.ts'
import { gateway } from '../index.ts'

const db = await useTestDb()
const { deps, settle } = createTestApp({ features: [account, gateway], db })
const countLiveKeys = async (userId: string) => (await db.query('select 1 from gateway_keys where user_id = $1 and deleted_at is null', [userId])).length

test.each(['user.deleted', 'user.secrets-dropped'])('%s ends every key of that user and of no other', async (event) => {
  const [userId, other] = [`usr_1_${event}`, `usr_2_${event}`]
  for (const owner of [userId, userId, other]) await aKey(db, owner)
  await transact(db, SYSTEM, async (tx) => {
    await tx.emit(event, { userId })
    await tx.audit('test.told', userId)
  })
  await settle()
  expect([await countLiveKeys(userId), await countLiveKeys(other)]).toEqual([0, 1])
  const exported = (await gateway.personal!.exportOf!(deps, userId)) as { keys: { deletedAt: Date | null; apiToken: string }[] }
  expect(exported.keys).toHaveLength(2)
  expect(exported.keys.every((key) => key.deletedAt && key.apiToken.length < 30)).toBe(true)
})
