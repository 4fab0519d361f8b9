import { expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { resolveRoles } from './roles.ts'

const parseRoles = (env: Record<string, string>) => [...resolveRoles(readConfig(platformConfig, env))]

test('production has the sandbox role only where a sandbox is allowed by name', () => {
  expect(parseRoles({})).toEqual(['api', 'gateway', 'worker', 'sandbox', 'console', 'proxy', 'mail', 'remote'])
  expect(parseRoles({ STAGE: 'qa' })).toContain('sandbox')
  expect(parseRoles({ STAGE: 'production' })).toEqual(['api', 'gateway', 'worker', 'console', 'proxy', 'mail', 'remote'])
  expect(parseRoles({ STAGE: 'production', ALLOW_SANDBOX: 'sms' })).toContain('sandbox')
  expect(() => parseRoles({ STAGE: 'production', ROLES: 'sandbox' })).toThrow('ALLOW_SANDBOX')
})
