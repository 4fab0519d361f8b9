import { aSupplierTools } from '#platform/testing/http.ts'
import { systemClock } from '#platform/server/clock.ts'
import { createLog } from '#platform/server/log.ts'
import { platformConfig, readConfig } from '#platform/server/config.ts'
import { accountConfig } from '#features/account/server/config.ts'
import { chooseSignInVendor } from '#features/account/server/vendors/index.ts'
import { startAlipayFace } from '#stand-ins/alipay/index.ts'
import { faceRegistry } from '#features/identity/server/face/vendors/index.ts'
import { storeRegistry } from '#features/identity/server/uploads/vendors/index.ts'
import { noticesConfig } from '#features/notices/server/config.ts'
import { smsVendors } from '#features/notices/server/vendors/index.ts'
import type { ReadySms } from '#features/notices/server/vendors/port.ts'
import { riskConfig } from '#features/risk/server/config.ts'
import { captchaVendors } from '#features/risk/server/vendors/index.ts'
import type { CaptchaRules, CaptchaStore } from '#features/risk/server/vendors/port.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

type Work = () => Promise<unknown>
/** Writes that may have happened must never be reported as rejected or safe to repeat; reads must never be reported as rejected. */
export interface WireVendor {
  readonly port: string
  readonly vendor: string
  readonly connect: (url: string) => { readonly writes: Readonly<Record<string, Work>>; readonly reads: Readonly<Record<string, Work>> }
  /** Responses to the reads that precede a write, by path. */
  readonly prelude?: (path: string) => string | undefined
  /** Status and body of a documented refusal. */
  readonly refusal?: readonly [number, string]
}

const now = () => systemClock.now()
const query = async () => []

/** Vendors whose orders involve no money: face check, file store, text messages, captcha, sign-in. */
export async function createHelperVendors(): Promise<{ readonly vendors: readonly WireVendor[]; readonly close: () => Promise<void> }> {
  const faces = await startAlipayFace()
  return {
    vendors: [buildFaceVendor(faces.env), storeVendor, ...['aliyun', 'twilio'].map(buildSmsVendor), captchaVendor, googleVendor],
    close: () => faces.close(),
  }
}

const buildFaceVendor = (env: Readonly<Record<string, string>>): WireVendor => ({
  port: 'identity.face',
  vendor: 'alipay',
  connect: (url) => {
    const face = faceRegistry.getVendor('alipay').connect({ ...env, FACE_ALIPAY_GATEWAY: `${url}/gateway.do` })!
    const call = {
      id: 'face_1',
      name: '欧阳修文',
      number: '11010519491231002X',
      returnUrl: 'https://shop.example/r',
      expiresAt: now(),
      lang: DEFAULT_LANG,
    } as const
    return { writes: { start: () => face.start(aSupplierTools(), call) }, reads: { query: () => face.query(aSupplierTools(), 'ref') } }
  },
})

const storeVendor: WireVendor = {
  port: 'identity.store',
  vendor: 's3',
  refusal: [400, '<Error><Code>EntityTooLarge</Code></Error>'],
  connect: (url) => {
    const account = { IDENTITY_S3_BUCKET: 'papers', IDENTITY_S3_KEY_ID: 'k', IDENTITY_S3_SECRET: 's' }
    const store = storeRegistry.getVendor('s3').connect({ IDENTITY_S3_ENDPOINT: url, ...account })!
    const tools = { ...aSupplierTools(), secret: () => Buffer.alloc(32) }
    return {
      writes: { put: () => store.put(tools, 'paper_1', Buffer.from('x')), drop: () => store.drop(tools, 'paper_1') },
      // Bytes are unsealed with our key, which detects foreign ones.
      reads: { get: () => store.get(tools, 'paper_1') },
    }
  },
}

const sms: ReadySms = { id: 'sms_1', to: '+8613800130001', region: '86', text: 'x', code: '731904', orderedAt: now(), attempt: 1 }
const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  aliyun: [200, '{"Code":"isv.MOBILE_NUMBER_ILLEGAL"}'],
  twilio: [400, '{"code":21211}'],
}
const buildSmsVendor = (name: string): WireVendor => ({
  port: 'notices.sms',
  vendor: name,
  refusal: REFUSALS[name]!,
  connect: (url) => {
    const config = readConfig(
      { ...platformConfig, ...noticesConfig },
      {
        ...{ ALIYUN_SMS_ACCESS_KEY_ID: 'k', ALIYUN_SMS_ACCESS_KEY_SECRET: 's', ALIYUN_SMS_SIGN_NAME: 'n', ALIYUN_SMS_TEMPLATE_CODE: 'SMS_1' },
        ...{ ALIYUN_SMS_ENDPOINT: url, TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+15005550006', TWILIO_ENDPOINT: url },
      },
    )
    const opened = smsVendors.find(({ id }) => id === name)!.open({ config, sql: { query } as never, clock: systemClock })
    return { writes: { send: () => opened.send(sms) }, reads: { find: () => opened.find(sms) } }
  },
})

const captchaVendor: WireVendor = {
  port: 'risk.captcha',
  vendor: 'aliyun',
  connect: (url) => {
    const account = { ALIYUN_CAPTCHA_SCENE_ID: 's', ALIYUN_CAPTCHA_PREFIX: 'p', ALIYUN_CAPTCHA_ACCESS_KEY_ID: 'k', ALIYUN_CAPTCHA_ACCESS_KEY_SECRET: 's' }
    const config = readConfig({ ...platformConfig, ...riskConfig }, { ...account, ALIYUN_CAPTCHA_ENDPOINT: url })
    const store = { spend: async () => true } as unknown as CaptchaStore
    const captcha = captchaVendors.find(({ id }) => id === 'aliyun')!.open({ config, clock: systemClock, keys: [], store, rules: {} as CaptchaRules })
    return { writes: {}, reads: { verify: () => captcha.verify('login', 'proof', 'own') } }
  },
}

const googleVendor: WireVendor = {
  port: 'account.signin',
  vendor: 'google',
  connect: (url) => {
    const env = { GOOGLE_CLIENT_ID: 'c', GOOGLE_ISSUER: url, GOOGLE_AUTH_URL: url, GOOGLE_KEYS_URL: `${url}/keys`, GOOGLE_TOKENINFO_URL: `${url}/tokeninfo` }
    const config = readConfig({ ...platformConfig, ...accountConfig }, env)
    const google = chooseSignInVendor({
      config: config as never,
      clock: systemClock,
      log: createLog('silent'),
      db: { query } as never,
      publicUrl: () => url,
      secretKey: Buffer.alloc(32),
    })!
    return { writes: {}, reads: { personOf: () => google.personOf({ idToken: undefined, accessToken: 'token', nonce: 'n' }) } }
  },
}
