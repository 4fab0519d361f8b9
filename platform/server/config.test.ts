import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { platformConfig, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'mingxi-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('NAME_FILE names a file with the value of NAME; NAME itself wins', () => {
  const file = join(folder, 'database-url')
  writeFileSync(file, 'postgres://a:b@db/mingxi?sslmode=verify-full\n')
  expect(readConfig(platformConfig, { DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://a:b@db/mingxi?sslmode=verify-full')
  expect(readConfig(platformConfig, { DATABASE_URL: 'postgres://x/y', DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://x/y')
  expect(() => readConfig(platformConfig, { DATABASE_URL_FILE: join(folder, 'none') })).toThrow('ENOENT')
})

test('SECRETS names folders, or prefixes of files, with a file for each secret; the environment wins', () => {
  writeFileSync(join(folder, 'METRICS_TOKEN'), 'a token of twenty letters\n')
  writeFileSync(join(folder, 'gateway_SECRET_KEY'), 'the key')
  const read = (env: Record<string, string>) => readConfig(platformConfig, { SECRETS: `${folder} ${folder}/gateway_`, ...env })
  expect(read({})).toMatchObject({ METRICS_TOKEN: 'a token of twenty letters', SECRET_KEY: 'the key', DATABASE_URL: undefined })
  expect(read({ SECRET_KEY: 'set here' }).SECRET_KEY).toBe('set here')
})

test('every problem is printed together', () => {
  expect(() => readConfig(platformConfig, { PORT: 'x', ROLES: 'api,king', REUSE_PORT: 'maybe' })).toThrow(/PORT[\s\S]*ROLES[\s\S]*REUSE_PORT/)
})

test('an address with several database hosts is refused with what to do', () => {
  const read = (DATABASE_URL: string) => readConfig(platformConfig, { DATABASE_URL })
  expect(() => read('postgres://u:p@a:5432,b:5432/mingxi?target_session_attrs=read-write')).toThrow(/DATABASE_URL[\s\S]*names several hosts/)
  expect(read('postgres://u:p@a:5432/mingxi?options=-c%20search_path=a,b').DATABASE_URL).toContain('a:5432')
})
