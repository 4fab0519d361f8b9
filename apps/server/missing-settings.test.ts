import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const start = (env: Readonly<Record<string, string>>, program = 'main.ts') =>
  spawnSync(process.execPath, [join(import.meta.dirname, program)], { encoding: 'utf8', env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...env } })

test('a server that lacks settings names all of them at once, with the remedy and no stack trace', () => {
  const { status, stderr } = start({ STAGE: 'production', DATA_DIR: '/nowhere', PORT: 'x', DATABASE_URL_FILE: '/nowhere/app_url', BRAND_NAME: 'Own' })
  expect(status).toBe(1)
  const [head, ...lines] = stderr.trimEnd().split('\n')
  expect(head).toBe('Mingxi did not start: 7 settings are missing or not usable:')
  expect(lines.map((line) => /^ {2}(.+?) {2,}\S/.exec(line)?.[1]).filter(Boolean)).toEqual([
    'PORT',
    'DATABASE_URL_FILE',
    'PUBLIC_URL',
    'SECRET_KEY',
    expect.stringMatching(/^OPENAI_API_KEY or /),
    'SMTP_URL',
    'payment channel',
  ])
  expect(lines.at(-1)).toContain('SECRETS')
  expect(stderr).toContain('openssl rand -base64 32')
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('a process needs only the settings that its roles use', () => {
  const { stderr } = start({ STAGE: 'production', DATA_DIR: '/nowhere', ROLES: 'gateway' })
  expect(stderr).toMatch(/PUBLIC_URL[\s\S]*SECRET_KEY[\s\S]*OPENAI_API_KEY/)
  expect(stderr).not.toMatch(/SMTP_URL|payment channel/)
})

test('a command names an unreachable database or an unreadable setting', () => {
  const verify = (env: Record<string, string>) => start(env, '../../features/wallet/server/verify-command.ts')
  const refused = verify({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/mingxi' })
  expect([refused.status, refused.stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('is PostgreSQL started, and DATABASE_URL its address?')]])
  const unread = verify({ DATABASE_URL_FILE: '/nowhere/app_url' })
  expect([unread.status, unread.stderr]).toEqual([1, expect.stringMatching(/^1 setting is missing or not usable:\n {2}DATABASE_URL_FILE {2}names a file/)])
})
