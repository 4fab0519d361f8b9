import { expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { rolesOf } from './roles.ts'

const roles = (env: Record<string, string>) => [...rolesOf(readConfig(platformConfig, env))]

test('production has the sandbox role only where a sandbox is allowed by name', () => {
  expect(roles({})).toEqual(['api', 'gateway', 'worker', 'sandbox', 'console', 'proxy', 'mail', 'remote'])
  expect(roles({ STAGE: 'qa' })).toContain('sandbox')
  expect(roles({ STAGE: 'production' })).toEqual(['api', 'gateway', 'worker', 'console', 'proxy', 'mail', 'remote'])
  expect(roles({ STAGE: 'production', ALLOW_SANDBOX: 'sms' })).toContain('sandbox')
  expect(() => roles({ STAGE: 'production', ROLES: 'sandbox' })).toThrow('ALLOW_SANDBOX')
})
