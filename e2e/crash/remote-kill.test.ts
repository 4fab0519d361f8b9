import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { NANO_PER_USD, formatUsd } from '#platform/shared/money.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { TestApp } from '#platform/testing/http.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { anActiveCard } from '#features/cards/server/builders.ts'
import { cards } from '#features/cards/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { anEcho, buildBasicAuth, waitForClose, sendEcho, listenFree, openTunnel } from '#features/proxy/server/testing/proxy-clients.ts'
import { openTestViewer } from '#features/remote/server/testing/test-viewer.ts'
import { explainMissingBrowser } from '#features/remote/server/testing/missing-browser.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { callPlatform } from '../visitor.ts'

// L6, G1, G3: the process that runs remote browsers and the proxy is killed while a session waits, is charged, and is used.
const KILLS = Number(process.env['CRASH_KILLS'] ?? 1)
const KEY = randomBytes(32)
const env = { SECRET_KEY: KEY.toString('base64'), STAGE: 'qa', ALLOW_SANDBOX: 'models,payment,mail,service,card,identity', PROXY_HOST: '127.0.0.1' }
const PIN = '271828'
const whyNot = await explainMissingBrowser()
const echo = anEcho()
const target = `127.0.0.1:${await listenFree(echo)}`
let server: TestServer
let db: Db
let deps: TestApp['deps']

beforeAll(async () => {
  server = await startTestServer({ roles: 'api,worker,sandbox,proxy,remote', env: { ...env, PROXY_TEST_TARGETS: target }, crashes: true })
  db = connect(server.databaseUrl, { max: 4 })
  const secretKey = Buffer.from(hkdfSync('sha256', KEY, createHash('sha256').update('mingxi').digest(), 'installation', 32))
  ;({ deps } = createTestApp({ features: [account, cards, identity], db, overrides: { secretKey, publicUrl: () => server.baseUrl } }))
  await db.query(`insert into settings (key, value, updated_by) values ('remote.included', '{"standard":0,"pro":0}', 'test')`)
  // the server caches settings for a while
  await server.restart()
})
afterAll(async () => {
  await server?.stop()
  await db?.close()
  echo.close()
})

interface Member extends BuiltUser {
  readonly ask: (method: 'GET' | 'POST', path: string, body?: object) => ReturnType<typeof callPlatform>
}
async function aMember(): Promise<Member> {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 10n * NANO_PER_USD })
  await anActiveCard(deps, { userId: user.userId })
  const ask: Member['ask'] = (method, path, body = {}) =>
    callPlatform(server, method, { path, input: body, headers: { 'accesstoken': user.token, 'idempotency-key': randomBytes(8).toString('hex') } })
  return { ...user, ask }
}
/** Pays for a remote browser and waits until it runs. */
async function openReadyBrowser(member: Member): Promise<string> {
  const { data, code, msg } = await member.ask('POST', '/reward/kasm/apply')
  expect([code, msg]).toEqual([200, msg])
  expect((await member.ask('POST', '/v1/pay/balancePay', { orderType: 3, service: data.pay.service, payPassword: PIN })).code).toBe(200)
  await waitForValue(async () => ((await member.ask('GET', '/user/getKasm')).data.session?.state === 'ready' ? true : undefined), 'a browser')
  return data.task.id
}
const openViewer = async (member: Member) => openTestViewer(server.baseUrl, (await member.ask('POST', '/reward/kasm/open')).data.ticket)
const task = async (id: string) =>
  (await db.query<{ state: string; cause: string; phase: string }>('select state, cause, phase from services_tasks where id = $1', [id]))[0]!
const readMoney = async ({ userId }: Member) => {
  const { posted, held } = await readBalance(db, userId)
  return [formatUsd(posted), formatUsd(held)]
}
/** Chromium processes of a dead server: none survives the pipe that controls it. */
const listBrowsers = (folder: string) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder)
    } catch {
      return false
    }
  })

const points = [
  ['while it waits for its user', 'ready', undefined],
  ['while its first picture is being charged', 'ready', 'services.before-commit'],
  ['while it is used', 'using', undefined],
] as const

test.skipIf(whyNot).each(points)('%s', async (_name, state, point) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const member = await aMember()
    const id = await openReadyBrowser(member)
    const folder = `mingxi-remote-${server.pid()}-`
    expect(listBrowsers(folder).length).toBeGreaterThan(0)
    if (point) server.crashAt(point)
    if (state === 'using' || point) {
      const looker = await openViewer(member)
      if (point) await looker.closed
      else await waitForValue(() => (looker.told.some(({ tell }) => tell === 'until') ? true : undefined), 'a paid session')
    }
    if (!point) await server.kill('SIGKILL')
    await waitForValue(() => (listBrowsers(folder).length === 0 ? true : undefined), 'the end of its browser')
    await server.restart()
    expect(readdirSync('/tmp').filter((name) => name.startsWith(folder))).toEqual([])
    await db.query(`update remote_nodes set seen_at = seen_at - interval '1 minute' where id = (select supplier_ref from services_tasks where id = $1)`, [id])
    const ended = await waitForValue(async () => {
      await db.query(`update services_tasks set next_check_at = now() where id = $1 and phase in ('waiting','using')`, [id])
      const now = await task(id)
      return now.phase === 'failed' ? now : undefined
    }, 'the end of the task')
    expect(ended.cause).toBe(state === 'using' ? 'lost' : 'not_started')
    expect(await readMoney(member)).toEqual(['10', '0'])
    const ways = async () => db.query(`select 1 from proxy_uses where ref = $1 and ended_at is null`, [id])
    await waitForValue(async () => ((await ways()).length === 0 ? true : undefined), 'the end of its way out')
  }
  expect((await verifyLedger(db)).problems).toEqual([])
})

test('a use of the proxy outlives its process: its tunnels are cut, its password is good again, and it is charged once', async () => {
  const member = await aMember()
  const { data } = await member.ask('POST', '/v1/tool/reward/proxy/apply')
  expect((await member.ask('POST', '/v1/pay/balancePay', { orderType: 5, service: data.pay.service, payPassword: PIN })).code).toBe(200)
  const available = () => waitForValue(async () => (await member.ask('GET', '/v1/tool/reward/proxy/available')).data.account ?? undefined, 'a use of the proxy')
  const enter = async () => {
    const { port, username, password } = await available()
    return openTunnel(port, target, buildBasicAuth(username, password))
  }
  const before = await enter()
  await sendEcho(before.socket, 'hello')
  await server.kill('SIGKILL')
  await waitForClose(before.socket)
  await server.restart()
  const after = await waitForValue(async () => enter().catch(() => undefined), 'the proxy again')
  expect([after.status, await sendEcho(after.socket, 'hello')]).toEqual([200, 'hello'])
  after.socket.destroy()
  expect(await readMoney(member)).toEqual(['9.51', '0'])
  expect((await verifyLedger(db)).problems).toEqual([])
})
