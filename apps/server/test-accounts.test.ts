import { expect, test } from 'vitest'
import { features } from './features.ts'

const ports = features.flatMap(({ suppliers }) => suppliers ?? [])
const STAND_IN = 'http://127.0.0.1:4010'
/** Settings that point at a test, and the name in ALLOW_SANDBOX that permits it. */
const TESTS: readonly (readonly [setting: string, value: string, allowed: string])[] = [
  ['ALIPAY_GATEWAY', `${STAND_IN}/gateway.do`, 'payment'],
  ['ALIPAY_GATEWAY', 'https://openapi-sandbox.dl.alipaydev.com/gateway.do', 'payment'],
  ['WECHAT_PAY_BASE_URL', STAND_IN, 'payment'],
  ['NIHAOPAY_BASE_URL', 'https://apitest.nihaopay.com', 'payment'],
  ['STRIPE_API_BASE', STAND_IN, 'payment'],
  ['STRIPE_SECRET_KEY', 'sk_test_1234', 'payment'],
  ['ALIPAY_PAYOUT_GATEWAY', STAND_IN, 'payment'],
  ['FACE_ALIPAY_GATEWAY', STAND_IN, 'identity'],
  ['LITHIC_API_BASE', 'https://sandbox.lithic.com', 'card'],
  ['STRIPE_ISSUING_API_BASE', STAND_IN, 'card'],
  ['STRIPE_ISSUING_SECRET_KEY', 'rk_test_1234', 'card'],
  ['NUMBERS_TWILIO_URL', STAND_IN, 'number'],
  ['NUMBERS_5SIM_URL', STAND_IN, 'number'],
  ['NUMBERS_HANDLER_API_URL', STAND_IN, 'number'],
  ['REGISTRATION_URL', STAND_IN, 'service'],
  ['GOOGLE_ISSUER', STAND_IN, 'google'],
  ['GOOGLE_KEYS_URL', STAND_IN, 'google'],
]
const LIVE: Readonly<Record<string, string>> = {
  ALIPAY_GATEWAY: 'https://openapi.alipay.com/gateway.do',
  ALIPAY_PAYOUT_GATEWAY: 'https://openapi.alipay.com/gateway.do',
  FACE_ALIPAY_GATEWAY: 'https://openapi.alipay.com/gateway.do',
  WECHAT_PAY_BASE_URL: 'https://api2.mch.weixin.qq.com',
  NIHAOPAY_BASE_URL: 'https://api.nihaopay.com',
  STRIPE_API_BASE: 'https://api.stripe.com',
  STRIPE_SECRET_KEY: 'rk_live_1234',
  STRIPE_ISSUING_API_BASE: 'https://api.stripe.com',
  STRIPE_ISSUING_SECRET_KEY: 'sk_live_1234',
  LITHIC_API_BASE: 'https://api.lithic.com',
  NUMBERS_TWILIO_URL: 'https://api.dublin.ie1.twilio.com',
  NUMBERS_5SIM_URL: 'https://5sim.net',
  NUMBERS_HANDLER_API_URL: 'https://api.supplier.example/stubs/handler_api.php',
  REGISTRATION_URL: 'https://supplier.example',
  GOOGLE_ISSUER: 'https://accounts.google.com',
  GOOGLE_KEYS_URL: 'https://www.googleapis.com/oauth2/v3/certs',
}
const problems = (config: Parameters<NonNullable<(typeof ports)[number]['findTestProblems']>>[0]) =>
  ports.flatMap(({ findTestProblems }) => findTestProblems?.(config) ?? []).map(({ setting }) => setting)

test.each(TESTS)('production refuses %s=%s, unless ALLOW_SANDBOX names %s', (setting, value, allowed) => {
  expect(problems({ STAGE: 'production', ALLOW_SANDBOX: [], [setting]: value })).toEqual([setting])
  expect(problems({ STAGE: 'production', ALLOW_SANDBOX: [allowed], [setting]: value })).toEqual([])
  expect(problems({ STAGE: 'qa', ALLOW_SANDBOX: [], [setting]: value })).toEqual([])
})

test('live addresses and keys are accepted', () => {
  expect(problems({ STAGE: 'production', ALLOW_SANDBOX: [], ...LIVE })).toEqual([])
  expect(Object.keys(LIVE).toSorted()).toEqual([...new Set(TESTS.map(([setting]) => setting))].toSorted())
})

test('every other vendor tells its tests from live accounts, or has a reason not to', () => {
  const REASONS: Readonly<Record<string, string>> = {
    s3: 'a store of our own may stand anywhere',
    kasm: 'runs on our own machines',
  }
  expect([...new Set(ports.flatMap(({ unmarked }) => unmarked ?? []))].toSorted()).toEqual(Object.keys(REASONS).toSorted())
})
