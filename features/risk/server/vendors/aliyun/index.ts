import { randomUUID } from 'node:crypto'
import { mapCodes, findCodeError, failedReplyError, lostCallError } from '#platform/shared/suppliers/supplier-error.ts'
import type { VendorCodes } from '#platform/shared/suppliers/supplier-error.ts'
import { signAcs3Headers, formatAcs3Query } from '#platform/server/sealing/sign-acs3.ts'
import type { CaptchaVendor, RiskConfig } from '../port.ts'

/** Endpoint by the instance's region. Source: alibabacloud.com/help Captcha 2.0 "Server integration". */
const ENDPOINTS = { cn: 'https://captcha.cn-shanghai.aliyuncs.com', sgp: 'https://captcha.ap-southeast-1.aliyuncs.com' } as const

/** Hosts of the script's calls and pictures, as observed in pages; by region. */
const HOSTS = {
  cn: {
    calls: ['https://*.captcha-open.aliyuncs.com', 'https://*.cn-shanghai.aliyuncs.com', 'https://*.device.saf.aliyuncs.com'],
    pictures: 'https://static-captcha.aliyuncs.com',
  },
  sgp: {
    calls: ['https://*.captcha-open-southeast.aliyuncs.com', 'https://*.ap-southeast-1.aliyuncs.com', 'https://*.device.saf.aliyuncs.com'],
    pictures: 'https://static-captcha-sgp.aliyuncs.com',
  },
} as const
const SCRIPTS = ['https://o.alicdn.com', 'https://g.alicdn.com', 'https://x.alicdn.com']

/** Proofs expire at the vendor long before this. */
const SPENT_MS = 86_400_000

/**
 * Behaviour check of Aliyun Captcha 2.0: its script renders itself and returns a parameter that VerifyIntelligentCaptcha judges. Without a
 * verdict it throws and the proof does not count; the alternatives stay available.
 */
export const aliyun: CaptchaVendor = {
  id: 'aliyun',
  offered: ({ ALIYUN_CAPTCHA_SCENE_ID: scene, ALIYUN_CAPTCHA_PREFIX: prefix, ALIYUN_CAPTCHA_ACCESS_KEY_ID: id, ALIYUN_CAPTCHA_ACCESS_KEY_SECRET: secret }) =>
    Boolean(scene && prefix && id && secret),
  sources: ({ ALIYUN_CAPTCHA_REGION: region }) => ({
    'script-src': SCRIPTS,
    'style-src': SCRIPTS,
    'connect-src': [...HOSTS[region].calls, ...SCRIPTS],
    'img-src': [HOSTS[region].pictures, ...SCRIPTS],
  }),
  open: ({ config, clock, store }) => ({
    challenge: async () => ({
      kind: 'aliyun',
      sceneId: config.ALIYUN_CAPTCHA_SCENE_ID!,
      prefix: config.ALIYUN_CAPTCHA_PREFIX!,
      region: config.ALIYUN_CAPTCHA_REGION,
    }),
    verify: async (_scene, proof) => {
      const now = clock.now()
      // Spent first, so that only one of several parallel calls reaches the vendor.
      if (!(await store.spend(`aliyun:${proof}`, new Date(now.getTime() + SPENT_MS)))) return 'used'
      return judge(config, proof, now)
    },
  }),
}

interface Judgement {
  readonly Code?: string
  readonly Result?: { readonly VerifyResult?: boolean; readonly VerifyCode?: string }
}

/**
 * Source: help.aliyun.com, Captcha 2.0, "VerifyIntelligentCaptcha", error codes, and the common codes of OpenAPI. A verdict is a read:
 * unlisted codes are judged by their HTTP status and may be retried.
 */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'proof' }, 'MissingParameter', 'InvalidParameter', 'MissingCaptchaVerifyParam'),
  ...mapCodes({ kind: 'retryable', reason: 'our_account', ours: true }, 'Forbidden.AccountAccessDenied', 'Forbidden.RAMUserAccessDenied', 'Forbidden.RAM'),
  ...mapCodes({ kind: 'retryable', reason: 'our_account', ours: true }, 'SignatureDoesNotMatch', 'InvalidAccessKeyId.NotFound', 'InvalidAccessKeyId.Inactive'),
  ...mapCodes({ kind: 'retryable', reason: 'our_account', ours: true }, 'InvalidTimeStamp.Expired', 'InvalidTimeStamp.Format'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'Throttling', 'ThrottlingByStrategy', 'Throttling.User', 'Throttling.Api', 'ServiceUnavailable'),
}
const TIMEOUT_MS = 5_000

async function judge(config: RiskConfig, param: string, now: Date): Promise<'good' | 'wrong'> {
  const url = new URL(config.ALIYUN_CAPTCHA_ENDPOINT ?? ENDPOINTS[config.ALIYUN_CAPTCHA_REGION])
  const query = { CaptchaVerifyParam: param, SceneId: config.ALIYUN_CAPTCHA_SCENE_ID! }
  const headers = signAcs3Headers({
    host: url.host,
    action: 'VerifyIntelligentCaptcha',
    version: '2023-03-05',
    query,
    accessKeyId: config.ALIYUN_CAPTCHA_ACCESS_KEY_ID!,
    accessKeySecret: config.ALIYUN_CAPTCHA_ACCESS_KEY_SECRET!,
    nonce: randomUUID(),
    now,
  })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const reply = await fetch(`${url.origin}/?${formatAcs3Query(query)}`, { method: 'POST', redirect: 'manual', headers, signal }).catch((error: unknown) => {
    throw lostCallError(error, { writes: false, timedOut: signal.aborted })
  })
  const body = ((await reply.json().catch(() => undefined)) ?? {}) as Judgement
  if (reply.status === 200 && body.Code === 'Success' && body.Result) return body.Result.VerifyResult === true ? 'good' : 'wrong'
  const said = `aliyun captcha ${String(body.Code ?? reply.status)}`
  throw findCodeError(CODES, String(body.Code), said) ?? failedReplyError({ status: reply.status, said, writes: false })
}
