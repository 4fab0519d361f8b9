import type * as Alipay from 'alipay-sdk'
import { z } from 'zod'
import { loadPackage } from '#platform/server/load-package.ts'
import {
  unreadableError,
  mapCodes,
  findCodeError,
  wasNeverSent,
  retryableError,
  unknownError,
  type SupplierError,
  type VendorCodes,
} from '#platform/shared/suppliers/supplier-error.ts'
import { parsePrivateKey, parsePublicKey } from '#platform/server/sealing/sign.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import type { FaceConfig, FaceOutcome, SupplierTools, FaceVendor } from '../port.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

/**
 * Sources: opendocs.alipay.com/common/02km9f (public codes of the gateway) and opendocs.alipay.com/open/02ahjv (business codes of the face
 * check). Codes that are not listed decide nothing: `unknown` for a start, retried for a query.
 */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'person' }, 'INVALID_PARAMETER', 'CERT_NO_INVALID', 'CERT_NAME_INVALID', 'USER_CERT_INFO_INVALID'),
  ...mapCodes({ kind: 'rejected', reason: 'over' }, 'CERTIFY_ID_NOT_EXIST', 'INVALID_CERTIFY_ID', 'CERTIFY_ID_EXPIRED'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'isv.app-call-limited', 'isv.method-call-limited', 'isp.call-limited'),
  ...mapCodes({ kind: 'unknown', reason: 'supplier_fault' }, 'isp.unknow-error', 'aop.unknow-error', 'SYSTEM_ERROR'),
}
/**
 * Codes of the gateway, before the business is reached: 20001 authorisation, 40001 and 40002 parameters and signatures, 40006 permissions.
 */
const OUR_ACCOUNT = /^(20001|40001|40002|40006)$/

interface AlipayFaceRefusal {
  readonly step: string
  readonly code: string
  readonly subCode: string
  readonly writes: boolean
}

function toAlipayFaceError({ step, code, subCode, writes }: AlipayFaceRefusal): SupplierError {
  const detail = `Alipay answered ${step} of a face check with ${subCode || code}`
  const known = findCodeError(CODES, subCode, detail)
  if (known) return known.kind === 'unknown' && !writes ? retryableError(known.reason, detail) : known
  if (OUR_ACCOUNT.test(code)) return retryableError('our_account', detail, { ours: true })
  return writes ? unknownError('unexpected_refusal', detail) : retryableError('unexpected_refusal', detail)
}

/** No verified response. The SDK's errors repeat the request, including names and numbers, so only our own words are thrown. */
function toLostFaceCheckError(error: unknown, step: string, writes: boolean): SupplierError {
  const detail = `Alipay could not be asked to ${step} a face check`
  if (wasNeverSent(error)) return retryableError('no_connection', detail)
  if (/status: 429/.test((error as Error).message)) return retryableError('too_many', detail)
  return writes ? unknownError('no_answer', detail) : retryableError('no_answer', detail)
}

const env = {
  /** Application with the contract for face checks (人脸核身); may differ from the payments' application. */
  FACE_ALIPAY_APP_ID: z
    .string()
    .regex(/^\d{16,32}$/)
    .optional(),
  /** Private key of that application. */
  FACE_ALIPAY_PRIVATE_KEY: z.string().optional(),
  /** Alipay's public key, not ours. */
  FACE_ALIPAY_PUBLIC_KEY: z.string().optional(),
  /** Scene named in the contract. */
  FACE_ALIPAY_SCENE: z.string().max(32).default('FUTURE_TECH_BIZ_FACE_SDK'),
  /** URL of Alipay's gateway. */
  FACE_ALIPAY_GATEWAY: z.url().default('https://openapi.alipay.com/gateway.do'),
} as const
const shape = z.object(env)
const TIMEOUT_MS = 8000
const SERVICE = 'datadigital.fincloud.generalsaas.face.certify'

interface Account {
  readonly sdk: Alipay.AlipaySdk
  readonly scene: string
}

/** Alipay's face check in the browser: start it, show its page, query the result. docs/vendors/alipay-face.md */
export const alipay: FaceVendor = {
  name: 'alipay',
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { FACE_ALIPAY_GATEWAY: /^openapi\.alipay\.com$/ }),
  env,
  connect: (config) => {
    const account = readFaceAccount(config)
    if (!account) return undefined
    return {
      name: 'alipay',
      start: async (tools, { id, name, number, returnUrl }) => {
        const begun = await callAlipay(account, tools, {
          step: 'initialize',
          bizContent: {
            outer_order_no: id.replaceAll('_', ''),
            biz_code: account.scene,
            identity_param: { identity_type: 'CERT_INFO', cert_type: 'IDENTITY_CARD', cert_name: name, cert_no: number },
            // Alipay does not keep the picture of the person.
            merchant_config: { return_url: returnUrl, face_reserve_strategy: 'never' },
          },
        })
        const ref = read(z.object({ certify_id: z.string().min(1).max(64) }), begun, true).certify_id
        const { certify_url: url } = read(
          z.object({ certify_url: z.url() }),
          await callAlipay(account, tools, { step: 'verify', bizContent: { certify_id: ref } }),
          false,
        )
        return { ref, url }
      },
      query: async (tools, ref) => toOutcome(await callAlipay(account, tools, { step: 'query', bizContent: { certify_id: ref } })),
    }
  },
}

const certifyReply = z.object({
  passed: z.enum(['T', 'F']).optional(),
  certify_state: z.string().optional(),
  fail_reason: z.string().optional(),
  reason: z.string().optional(),
})

/** `passed` is F before the end and after a failure: the check is over only if there is a reason. */
function toOutcome(data: unknown): FaceOutcome {
  const { passed, certify_state: state, fail_reason: failReason, reason } = read(certifyReply, data, false)
  if (passed === 'T') return 'passed'
  const why = failReason ?? reason ?? ''
  if (/NOT_MATCH|INCONSISTEN|NOT_SAME|不一致|不匹配|非本人/i.test(why)) return 'other'
  return why || /FAIL/i.test(state ?? '') ? 'failed' : 'processing'
}

function read<T>(wanted: z.ZodType<T>, data: unknown, writes: boolean): T {
  const found = wanted.safeParse(data)
  if (!found.success) throw unreadableError(writes, 'Alipay answered something else about a face check')
  return found.data
}

function readFaceAccount(config: FaceConfig): Account | undefined {
  const read = shape.parse(Object.fromEntries(Object.keys(env).map((name) => [name, config[name]])))
  const needed = {
    FACE_ALIPAY_APP_ID: read.FACE_ALIPAY_APP_ID,
    FACE_ALIPAY_PRIVATE_KEY: read.FACE_ALIPAY_PRIVATE_KEY,
    FACE_ALIPAY_PUBLIC_KEY: read.FACE_ALIPAY_PUBLIC_KEY,
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length === Object.keys(needed).length) return undefined
  if (missing.length) throw new Error(`the face check with Alipay also needs ${missing.join(', ')}`)
  const { AlipaySdk } = loadPackage<typeof Alipay>('alipay-sdk')
  const sdk = new AlipaySdk({
    appId: read.FACE_ALIPAY_APP_ID!,
    privateKey: parsePrivateKey(read.FACE_ALIPAY_PRIVATE_KEY!).export({ type: 'pkcs8', format: 'pem' }) as string,
    keyType: 'PKCS8',
    alipayPublicKey: parsePublicKey(read.FACE_ALIPAY_PUBLIC_KEY!).export({ type: 'spki', format: 'pem' }) as string,
    signType: 'RSA2',
    gateway: read.FACE_ALIPAY_GATEWAY,
    timeout: TIMEOUT_MS,
    camelcase: false,
  })
  return { sdk, scene: read.FACE_ALIPAY_SCENE }
}

/** One signed call with a verified response. The SDK's errors repeat the request, including names and numbers, so only our own words are thrown. */
async function callAlipay(
  { sdk }: Account,
  tools: SupplierTools,
  { step, bizContent }: { readonly step: 'initialize' | 'verify' | 'query'; readonly bizContent: Record<string, unknown> },
): Promise<unknown> {
  const fields = { bizContent, timestamp: toShanghaiTime(tools.now()) }
  const writes = step === 'initialize'
  const data: unknown = await sdk.exec(`${SERVICE}.${step}`, fields, { validateSign: true }).catch((error: unknown) => {
    throw toLostFaceCheckError(error, step, writes)
  })
  const head = z.object({ code: z.string(), sub_code: z.string().optional() }).safeParse(data)
  if (!head.success) throw unreadableError(writes, `Alipay answered something else to ${step}`)
  const { code, sub_code: subCode } = head.data
  if (code !== '10000') throw toAlipayFaceError({ step, code, subCode: subCode ?? '', writes })
  return data
}
