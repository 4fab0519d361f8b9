import { describe, expect, test } from 'vitest'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { gatewayConfig } from './config.ts'
import { canSell, rejectFreeCalls } from './refuse-start.ts'

const config = (env: Record<string, string>) => readConfig({ ...platformConfig, ...gatewayConfig }, env) as Parameters<typeof rejectFreeCalls>[0]
const startWith = (env: Record<string, string>) => () => rejectFreeCalls(config({ OPENAI_API_KEY: 'sk-real', ...env }))

describe('a real vendor key beside sandbox payments', () => {
  test('refuses to start where others can come in, and says what to set', () => {
    expect(startWith({})).toThrow(/OPENAI_API_KEY reaches a vendor[\s\S]*HOST=127\.0\.0\.1[\s\S]*STAGE=production[\s\S]*ALLOW_SANDBOX=payment/)
    expect(startWith({ ANTHROPIC_API_KEY: 'x' })).toThrow(/^OPENAI_API_KEY, ANTHROPIC_API_KEY reach vendors/)
    expect(startWith({ HOST: '::' })).toThrow('HOST')
    expect(startWith({ HOST: '10.0.0.8' })).toThrow('HOST')
    // A proxy in front of it admits others.
    expect(startWith({ HOST: '127.0.0.1', PUBLIC_URL: 'https://try.example.com' })).toThrow('HOST')
    expect(startWith({ HOST: '127.0.0.1', STAGE: 'qa' })).toThrow('STAGE=qa')
    expect(startWith({ ALLOW_SANDBOX: 'models,mail' })).toThrow('ALLOW_SANDBOX')
    expect(startWith({ OPENAI_BASE_URL: 'https://relay.example.com' })).toThrow('OPENAI_API_KEY')
  })
  test('starts on a local machine, in production, when allowed by name, and with a fake vendor behind the key', () => {
    for (const HOST of ['127.0.0.1', '::1', 'localhost']) expect(startWith({ HOST })).not.toThrow()
    expect(startWith({ HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000' })).not.toThrow()
    expect(startWith({ STAGE: 'production' })).not.toThrow()
    expect(startWith({ ALLOW_SANDBOX: 'payment' })).not.toThrow()
    expect(startWith({ OPENAI_BASE_URL: 'http://127.0.0.1:9000/v1' })).not.toThrow()
    expect(() => rejectFreeCalls(config({}))).not.toThrow()
  })
  test('an upstream that a row describes stays out for the same reasons', () => {
    const far = 'https://api.openai.com'
    expect(canSell(config({}), 'openai', far)).toBe(false)
    expect(canSell(config({}), 'openai', 'http://127.0.0.1:1')).toBe(true)
    expect(canSell(config({}), 'sandbox-openai', far)).toBe(true)
    expect(canSell(config({ ALLOW_SANDBOX: 'payment' }), 'openai', far)).toBe(true)
    expect(canSell(config({ STAGE: 'production' }), 'openai', far)).toBe(true)
  })
})
