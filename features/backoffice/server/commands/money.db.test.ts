import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { z } from 'zod'
import { defineFeature } from '#platform/server/feature.ts'
import { defineCommand } from '#platform/server/operator-command.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { aWithdrawal } from '#features/payments/server/builders.ts'
import { payments } from '#features/payments/server/index.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { risk } from '#features/risk/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { creditUser } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { anOperator } from '../builders.ts'
import type { BuiltOperator } from '../builders.ts'
import { createBackoffice } from '../index.ts'
import { moneyPerDay } from '../settings.ts'

/** A command that grants credit without declaring the amount. */
const silent = defineFeature({
  name: 'silent',
  commands: [
    defineCommand({
      name: 'silent.give',
      summary: 'Gives credit without declaring it',
      permission: 'customers.note',
      input: z.object({ user: z.string() }),
      subject: async (_deps, { user }) => `user:${user}`,
      look: async () => ({}),
      run: async ({ tx }, { user }) => {
        await creditUser(tx, { userId: user, amount: 1n, from: 'grants', ref: `silent:${user}` })
        return {}
      },
    }),
  ],
})
const product = [account, notices, payments, risk, wallet, silent]
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, clock: createRunningClock(), surface: 'operators' })
const WHY = { reasonCode: 'customerAsked', reason: 'a reason of some length' }

let finance: BuiltOperator
let second: BuiltOperator
beforeAll(async () => {
  await chooseCaptcha(deps, 'off')
  await anOperator(deps, ['owner'])
})
beforeEach(async () => {
  finance = await anOperator(deps, ['finance'])
  second = await anOperator(deps, ['finance'])
})
const ask = async (command: string, input: object, by = finance) => {
  const { data } = await call('POST', `/operator/do/${command}/preview`, input, { token: by.token })
  return call('POST', `/operator/do/${command}`, { ...input, ...WHY, expects: data.expects }, { token: by.token, idempotencyKey: createId('key') })
}
const give = async (amount: string, by = finance) => ask('credit.grant', { user: (await aUser(deps)).userId, amount, purpose: 'goodwill', days: 30 }, by)
/** Creates a withdrawal that awaits approval. `old`: its user signed up 60 days ago. */
const waiting = async (amount: string, old = true) => {
  const { userId } = await aUser(deps)
  await aFundedUser(db, { userId, purchased: 2_000_000_000_000n })
  if (old) await db.owner.query(`update account_users set created_at = now() - interval '60 days' where id = $1`, [userId])
  return aWithdrawal(deps, { userId, amount })
}
const approve = async (withdrawalNo: string, by = finance) => ask('withdrawal.approve', { withdrawalNo }, by)
const state = (reply: { data: { state?: string } | null }) => reply.data?.state

test('one daily sum covers all commands that move money; beyond it a second person decides', async () => {
  expect(state(await approve(await waiting('300')))).toBe('done')
  expect(state(await give('40'))).toBe('done')
  // 340 of the daily 500 are used
  expect(state(await approve(await waiting('201')))).toBe('waiting')
  expect(state(await approve(await waiting('201'), second))).toBe('done')
  expect(state(await give('10', second))).toBe('done')
})

test('concurrent requests are counted one after the other', async () => {
  const numbers = await Promise.all([1, 2, 3, 4].map(() => waiting('240')))
  const states = (await Promise.all(numbers.map((no) => approve(no)))).map(state)
  expect(states.toSorted()).toEqual(['done', 'done', 'waiting', 'waiting'])
})

test('a role without a sum moves nothing alone, and the sum is a setting', async () => {
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, moneyPerDay, {}))
  expect(state(await give('1'))).toBe('waiting')
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, moneyPerDay, moneyPerDay.fallback))
  expect(state(await give('1'))).toBe('done')
})

test('the first withdrawal of a young account wants a second person', async () => {
  expect(state(await approve(await waiting('250', false)))).toBe('waiting')
  expect(state(await approve(await waiting('250')))).toBe('done')
})

test('a command that posts to the ledger without declaring it is refused', async () => {
  const { userId } = await aUser(deps)
  const reply = await call('POST', '/operator/do/silent.give/preview', { user: userId }, { token: finance.token })
  expect(reply.code).toBe(500)
  expect(await db.query(`select 1 from wallet_transactions where ref = $1`, [`silent:${userId}`])).toEqual([])
})
