import { beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { invitations } from '#features/invitations/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { storeMarks, hashMark } from '#features/risk/server/door.ts'
import { risk } from '#features/risk/server/index.ts'
import { makeTrialEligible } from '#features/services/server/builders.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { flex } from './index.ts'
import { syncAccounts } from './seats/sync-accounts.ts'

// Free trials against a script that creates accounts.
const db = await useTestDb({ max: 30 })
const { call, deps } = createTestApp({
  features: [flex, services, payments, invitations, wallet, account, notices, risk, support],
  db,
  clock: createRunningClock(),
})
beforeAll(async () => {
  await flex.start?.(deps, new Set())
  await syncAccounts(deps)
})

const [UNPAID, HAD, NETWORK, DEBT] = [3708, 3709, 3710, 3714]
const tries = async (token: string, ip: string) =>
  (await call('POST', '/v1/tool/openaiPlus/applySharePlus', { packageId: 1, inviteCode: '' }, { token, ip, idempotencyKey: createId('key') })).code
const aPaying = async () => {
  const made = await aUser(deps)
  await makeTrialEligible(db, made.userId)
  return made
}
const six = [1, 2, 3, 4, 5, 6]
/** Tries with six accounts, each from another address of the network. */
const allOf = async (network: string, make: () => Promise<{ token: string }>) =>
  (await Promise.all(six.map(async (n) => tries((await make()).token, network.includes(':') ? `${network}${n}::1` : `${network}${n}`)))).toSorted(
    (a, b) => a - b,
  )

test('accounts that never paid and are not identified get no trial, however many there are', async () => {
  expect(await allOf('203.0.113.', () => aUser(deps))).toEqual(six.map(() => UNPAID))
  expect((await db.query('select 1 from flex_trials')).length).toBe(0)
})

test('each network has its own daily share, whichever of its addresses asks', async () => {
  const share = [200, 200, 200, NETWORK, NETWORK, NETWORK]
  expect(await allOf('198.51.100.', aPaying)).toEqual(share)
  expect(await allOf('2001:db8:7:aaa', aPaying)).toEqual(share)
  expect(await tries((await aPaying()).token, '192.0.2.1')).toBe(200)
})

test('accounts that share a payer or a browser get one trial between them, also concurrently', async () => {
  for (const kind of ['payer', 'device'] as const) {
    const mark = hashMark(deps, kind, createId('shared'))
    const users = await Promise.all(six.slice(0, 3).map(() => aPaying()))
    for (const { userId } of users) await storeMarks(db, userId, { marks: [mark], now: new Date() })
    const codes = await Promise.all(users.map(({ token }, n) => tries(token, `100.64.${kind === 'payer' ? 1 : 2}${n}.9`)))
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, HAD, HAD])
  }
})

test('accounts that share a browser get one trial between them, also when there are more than a list holds', async () => {
  const mark = hashMark(deps, 'device', createId('shared'))
  const users = (await Promise.all(Array.from({ length: 103 }, () => aPaying()))).toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
  const share = async (some: typeof users) => {
    for (const { userId } of some) await storeMarks(db, userId, { marks: [mark], now: new Date() })
  }
  // The account that has the trial comes last in every order of the marks
  await share([users.at(-1)!])
  expect(await tries(users.at(-1)!.token, '192.0.4.1')).toBe(200)
  // A list of 99 others still holds it; with more, the accounts are a crowd
  await share(users.slice(0, 99))
  expect(await tries(users[0]!.token, '192.0.5.1')).toBe(HAD)
  await share(users.slice(99))
  expect(await tries(users[0]!.token, '192.0.6.1')).toBe(HAD)
})

test('an account with a debt gets no trial', async () => {
  const { userId, token } = await aPaying()
  await transact(db, SYSTEM, async (tx) => {
    await postTransaction(tx, {
      kind: 'dispute',
      ref: userId,
      legs: [{ from: userAccount(userId), to: systemAccount('wash'), amount: 5_000_000_000n, owe: true }],
    })
    await tx.audit('test.disputed', `user:${userId}`)
  })
  expect(await tries(token, '192.0.3.1')).toBe(DEBT)
})

test('a paying account may enter while seats are on sale, and not when none is', async () => {
  const { userId, token } = await aUser(deps)
  await aFundedUser(db, { userId, purchased: NANO_PER_USD })
  const mayEnter = async (): Promise<boolean> => (await call('GET', '/v1/tool/openaiPlus/shareUseInfo', {}, { token })).data.flags.hasSubscribedUser
  expect(await mayEnter()).toBe(true)
  await db.owner.query(`update flex_accounts set state = 'closed'`)
  expect(await mayEnter()).toBe(false)
})
