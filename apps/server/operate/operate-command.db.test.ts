import { spawn } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { createJobs } from '#platform/server/jobs.ts'
import { createLog } from '#platform/server/log.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { resolveProgram } from '#platform/testing/programs.ts'
import { anOperator, anOperatorToken } from '#features/backoffice/server/builders.ts'
import { features } from '../features.ts'
import { collectJobSpecs } from '../roles/worker.ts'

// The command line as a separate process, with a queue that it must open before it can enqueue a mail.
const db = await useTestDb()
const { deps } = createTestApp({ features, db, surface: 'operators' })
beforeAll(() => createJobs(db.url, createLog('silent'), { keeps: false }).install(collectJobSpecs(features)))

async function operate(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<{ out: string; code: number | null }> {
  const child = spawn(process.execPath, [await resolveProgram('apps/server/operate/operate-command.ts'), ...args], {
    env: { ...process.env, STAGE: 'qa', DATABASE_URL: db.url, SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), OPERATOR_TOKEN: '', ...env },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (out += text))
  return new Promise((done) => child.on('close', (code) => done({ out, code })))
}

test('a token works; --break-glass orders its mails; a command with neither a token nor --break-glass is refused', async () => {
  const owner = await anOperator(deps, ['owner'])
  const { token } = await anOperatorToken(deps, owner.id, ['routes.change'])
  const one = ['--upstreamId', 'one', '--vendor', 'openai', '--baseUrl', 'https://a.example/v1', '--credentialEnv', 'UPSTREAM_ONE_KEY']
  const reason = ['--reason', 'a reason of some length']
  // A command that requires re-authentication fails here, because no person is present.
  expect((await operate(['upstream.change', ...one, ...reason], { OPERATOR_TOKEN: token })).code).toBe(1)
  const glass = await operate(['upstream.change', ...one, '--break-glass', owner.mail, ...reason])
  expect([glass.code, glass.out]).toEqual([0, expect.stringMatching(/state: null -> active[\s\S]*C\d{8}-\w{8} {2}done/)])
  const looked = await operate(['upstream.state', '--upstreamId', 'one', '--state', 'draining', '--preview', ...reason], { OPERATOR_TOKEN: token })
  expect([looked.code, looked.out]).toEqual([0, expect.stringContaining('state: active -> draining')])
  const drained = await operate(['upstream.state', '--upstreamId', 'one', '--state', 'draining', ...reason], { OPERATOR_TOKEN: token })
  expect([drained.code, drained.out]).toEqual([0, expect.stringContaining('done')])
  expect(await db.query(`select recipient from notices_mails where template = 'backoffice.break-glass'`)).toEqual([{ recipient: owner.mail }])
  expect(await db.query(`select count(*)::int as n from jobs.job where name = 'notices.deliver-mail'`)).toEqual([{ n: 1 }])
  const unauthenticated = await operate(['upstream.state', '--upstreamId', 'one', '--state', 'active', ...reason])
  expect([unauthenticated.code, unauthenticated.out]).toEqual([1, expect.stringContaining('OPERATOR_TOKEN')])
  expect(await db.query('select state from gateway_upstreams')).toEqual([{ state: 'draining' }])
})
