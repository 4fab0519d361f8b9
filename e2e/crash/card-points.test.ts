import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { testApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aCardOrder, aRecharge } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { identity } from '#features/identity/server/index.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { balanceOf, verifyLedger } from '#features/wallet/server/door.ts'

// L6, C1, C2: killed at each point of an opening and a recharge, the card is made once and the money arrives once.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const POINTS = ['open-before-call', 'open-after-call', 'open-before-commit', 'load-before-call', 'load-after-call', 'move-before-commit']
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,card,mail,sms,identity' }
const POLL = { interval: 50 }
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox', env, crashes: true })
  db = connect(server.databaseUrl, { max: 4 })
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = testApp({ features: [cards, account, identity], db, overrides: { secretKey, publicUrl: () => server.baseUrl } }))
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
})

test.each(POINTS)('%s', async (point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const { userId } = await aUser(deps)
    await aReadyHolder(deps, userId)
    await aFundedUser(db, { userId })
    server.crashAt(`cards.${point}`)
    const killed = server.pid()
    const id = await aCardOrder(deps, userId)
    const state = async () => (await db.query<{ state: string }>('select state from cards_cards where id = $1', [id]))[0]!.state
    const due = () => db.query('update cards_cards set next_check_at = now() where id = $1 and next_check_at > now()', [id])
    if (point.startsWith('open'))
      await expect
        .poll(() => isAlive(killed), POLL)
        .toBe(false)
        .then(() => server.restart())
        .then(due)
    await expect.poll(state, POLL).toBe('active')
    const card = (await db.query('select * from cards_cards where id = $1', [id]))[0]!
    const move = await aRecharge(deps, card as never, 25n * NANO_PER_USD)
    if (!point.startsWith('open'))
      await expect
        .poll(() => isAlive(killed), POLL)
        .toBe(false)
        .then(() => server.restart())
    await db.query('update cards_moves set next_check_at = now() where id = $1 and next_check_at > now()', [move])
    await expect.poll(async () => (await db.query<{ state: string }>('select state from cards_moves where id = $1', [move]))[0]!.state, POLL).toBe('done')
    expect((await balanceOf(db, userId)).posted).toBe(75n * NANO_PER_USD)
    expect(await db.query(`select posted from wallet_accounts where owner = $1`, [`card:${id}`])).toEqual([{ posted: 25n * NANO_PER_USD }])
  }
  expect(await db.query(`select posted from wallet_accounts where kind = 'in_transit' and posted <> 0`)).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
