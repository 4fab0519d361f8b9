import { afterAll, expect, test } from 'vitest'
import { testApp } from '#platform/testing/http.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { launchServer } from '#platform/testing/launch.ts'
import type { TestServer } from '#platform/testing/launch.ts'
import { aUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import { features } from '../features.ts'

// A process that is killed between an approval and its effect, and one that is killed with the effect uncommitted.
const db = await useTestDb()
const { deps } = testApp({ features, db, surface: 'operators' })
await chooseCaptcha(deps, 'off')
const servers: TestServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.stop())))

const consoleOf = (server: TestServer) => `http://127.0.0.1:${[...server.output().matchAll(/"consolePort":(\d+)/g)].at(-1)![1]}`
async function call(server: TestServer, token: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json', 'operatortoken': token, 'idempotency-key': `k${Math.random()}` }
  const reply = await fetch(`${consoleOf(server)}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await reply.json()) as { code: number; data: Record<string, any> }
}

test.each(['backoffice.after-approval', 'backoffice.effect-before-commit'])('killed at %s: one effect, after the next start', async (point) => {
  const server = await launchServer({ databaseUrl: db.url, pagesDir: '', roles: 'worker,console', crashes: true })
  servers.push(server)
  const [finance, owner, user] = [await anOperator(deps, ['finance']), await anOperator(deps, ['owner']), await aUser(deps)]
  const input = { user: user.userId, amount: '60', purpose: 'compensation', days: 30 }
  const { data } = await call(server, finance.token, '/operator/do/credit.grant/preview', input)
  const asked = await call(server, finance.token, '/operator/do/credit.grant', {
    ...input,
    expects: data['expects'],
    reasonCode: 'ourFault',
    reason: 'an outage of an hour',
  })
  expect(asked.data['state']).toBe('waiting')
  server.crashAt(point)
  await expect(call(server, owner.token, '/operator/command/approve', { no: asked.data['no'] })).rejects.toThrow()
  expect(await db.query('select state from backoffice_commands where no = $1', [asked.data['no']])).toEqual([{ state: 'approved' }])
  expect((await balanceOf(db, user.userId)).grantedUnspent).toBe(0n)
  await server.restart()
  await expect.poll(() => db.query('select state from backoffice_commands where no = $1', [asked.data['no']])).toEqual([{ state: 'done' }])
  expect((await balanceOf(db, user.userId)).grantedUnspent).toBe(60_000_000_000n)
  expect(await db.query(`select count(*)::int as n from audit_rows where action = 'credit.granted' and target = $1`, [`user:${user.userId}`])).toEqual([
    { n: 1 },
  ])
  expect((await call(server, owner.token, '/operator/command/approve', { no: asked.data['no'] })).code).toBe(5015)
  await server.stop()
})
