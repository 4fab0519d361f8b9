import { hostname, networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createRunningClock, createTestApp } from '#platform/testing/http.ts'
import { aUser } from '#features/account/server/builders.ts'
import { account } from '#features/account/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { services } from '#features/services/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { proxy } from './index.ts'
import { resolveProxyAddress } from './proxy-address.ts'
import { proxyRefused } from './settings.ts'
import { anEcho, buildBasicAuth, listenFree, fetchByProxy, openSocks, openTunnel } from './testing/proxy-clients.ts'
import { openUse } from './uses/open-use.ts'

// The role as in production, with one test target in its policy: internal addresses are refused for every client and protocol.
const echo = anEcho()
const target = `127.0.0.1:${await listenFree(echo)}`
const db = await useTestDb({ max: 20 })
const { app, deps } = createTestApp({
  features: [proxy, services, payments, wallet, account, notices, risk, support],
  db,
  clock: createRunningClock(),
  env: { PROXY_PORT: '0', PROXY_HOST: '127.0.0.1', PROXY_TEST_TARGETS: target },
})
let stop: (() => Promise<void>) | void
let site = 0
let live = { username: '', password: '' }

beforeAll(async () => {
  stop = await proxy.start!(deps, new Set(['proxy']))
  site = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const { userId } = await aUser(deps)
  live = await transact(db, { kind: 'user', id: userId }, async (tx) => {
    await tx.audit('proxy.built', `user:${userId}`)
    return openUse(deps, tx, { userId, purpose: 'browser', ref: 'a test’s', owner: userId, exitId: 'direct', expiresAt: new Date(Date.now() + 600_000) })
  })
})
afterAll(async () => {
  await app.close()
  await stop?.()
  echo.close()
})

/** RFC 1928: not allowed by the ruleset. */
const NOT_ALLOWED = 2
const enter = async (to: string) => (await openTunnel(resolveProxyAddress(deps).port, to, buildBasicAuth(live.username, live.password))).status

test('the platform’s own ports, this machine’s own addresses and private networks are refused; the web alone is open', async () => {
  expect(await enter(target)).toBe(200)
  const own = Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  )
  expect(own).toContain('127.0.0.1')
  const hosts = [...own, '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '[fd00::1]', '[::ffff:10.0.0.1]', '0.0.0.0']
  for (const host of hosts) for (const port of [80, 443]) expect([`${host}:${port}`, await enter(`${host}:${port}`)]).toEqual([`${host}:${port}`, 403])
  const ports = [site, resolveProxyAddress(deps).port, Number(new URL(db.url).port || 5432)]
  for (const host of own) for (const port of ports) expect([host, port, await enter(`${host}:${port}`)]).toEqual([host, port, 403])
  for (const name of ['localhost', hostname()])
    expect([name, await enter(`${name}:443`)]).toEqual([name, expect.toSatisfy((status) => [403, 502].includes(status))])
})

test('a network that the operators name is refused like a private one, over HTTP and over SOCKS5', async () => {
  await transact(db, SYSTEM, (tx) => deps.settings.set(tx, proxyRefused, ['93.184.215.0/24']))
  expect(await enter('93.184.215.14:443')).toBe(403)
  const { port } = resolveProxyAddress(deps)
  for (const host of ['93.184.215.14', '10.0.0.1', '127.0.0.1']) {
    const { code, socket } = await openSocks(port, host, { port: 443, username: live.username, password: live.password })
    expect([host, code]).toEqual([host, NOT_ALLOWED])
    socket.destroy()
    expect([host, (await fetchByProxy(port, `http://${host}/`, buildBasicAuth(live.username, live.password))).status]).toEqual([host, 403])
  }
  const healthz = await fetchByProxy(port, `http://127.0.0.1:${site}/healthz`, buildBasicAuth(live.username, live.password))
  expect(healthz.status).toBe(403)
})
