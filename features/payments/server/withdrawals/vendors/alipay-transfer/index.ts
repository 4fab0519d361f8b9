import type * as Alipay from 'alipay-sdk'
import type { AlipaySdk } from 'alipay-sdk'
import { z } from 'zod'
import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { wasNeverSent, retryableError, unknownError, type SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { Payout, PayoutCall, PayoutFact, SupplierTools, PayoutVendor, PayoutConfig } from '../port.ts'
import { loadPackage } from '#platform/server/load-package.ts'
import { parsePrivateKey } from '#platform/server/sealing/sign.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

/** Transfers need a separate application in certificate mode: Alipay accepts no plain public keys for payouts. */
const alipayTransferEnv = {
  ALIPAY_PAYOUT_APP_ID: z
    .string()
    .regex(/^\d{16,32}$/)
    .optional(),
  ALIPAY_PAYOUT_PRIVATE_KEY: z.string().optional(),
  /** Certificates as PEM, or base64-encoded PEM: the application's, Alipay's, and Alipay's roots. */
  ALIPAY_PAYOUT_APP_CERT: z.string().optional(),
  ALIPAY_PAYOUT_ALIPAY_CERT: z.string().optional(),
  ALIPAY_PAYOUT_ROOT_CERT: z.string().optional(),
  ALIPAY_PAYOUT_GATEWAY: z.url().default('https://openapi.alipay.com/gateway.do'),
} as const

const TIMEOUT_MS = 10_000

function readSdk(config: PayoutConfig): Alipay.AlipaySdk | undefined {
  const env = z.object(alipayTransferEnv).parse(Object.fromEntries(Object.keys(alipayTransferEnv).map((name) => [name, config[name]])))
  const { ALIPAY_PAYOUT_GATEWAY: gateway, ...needed } = env
  const names = ['ALIPAY_PAYOUT_APP_ID', 'ALIPAY_PAYOUT_PRIVATE_KEY', 'ALIPAY_PAYOUT_APP_CERT', 'ALIPAY_PAYOUT_ALIPAY_CERT', 'ALIPAY_PAYOUT_ROOT_CERT'] as const
  const missing = names.filter((name) => !needed[name])
  if (missing.length === names.length) return undefined
  if (missing.length) throw new Error(`Alipay payouts also need ${missing.join(', ')}`)
  const alipay = loadPackage<typeof Alipay>('alipay-sdk')
  try {
    return new alipay.AlipaySdk({
      appId: needed.ALIPAY_PAYOUT_APP_ID!,
      privateKey: parsePrivateKey(needed.ALIPAY_PAYOUT_PRIVATE_KEY!).export({ type: 'pkcs8', format: 'pem' }) as string,
      keyType: 'PKCS8',
      appCertContent: pem(needed.ALIPAY_PAYOUT_APP_CERT!),
      alipayPublicCertContent: pem(needed.ALIPAY_PAYOUT_ALIPAY_CERT!),
      alipayRootCertContent: pem(needed.ALIPAY_PAYOUT_ROOT_CERT!),
      signType: 'RSA2',
      gateway,
      timeout: TIMEOUT_MS,
      camelcase: false,
    })
  } catch {
    // The original error may quote a key.
    throw new Error('the key or a certificate of Alipay payouts cannot be read')
  }
}

const pem = (text: string) => (text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString('utf8'))

const SCENE = { productCode: 'TRANS_ACCOUNT_NO_PWD', bizScene: 'DIRECT_TRANSFER' }
const DEADLINE_MS = 12_000

/** `alipay.fund.trans.uni.transfer` and its query: pays an Alipay account whose real name must match. */
export const alipayTransfer: PayoutVendor = {
  name: 'alipay-transfer',
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { ALIPAY_PAYOUT_GATEWAY: /^openapi\.alipay\.com$/ }),
  env: alipayTransferEnv,
  connect: (config) => {
    const sdk = readSdk(config)
    return sdk && createPayout(sdk)
  },
}

const createPayout = (sdk: AlipaySdk): Payout => ({
  name: 'alipay-transfer',
  minMinor: 10n,
  send: (tools, call) => send(sdk, tools, call),
  query: (tools, payoutNo) => query(sdk, tools, payoutNo),
})

const outcome = z.object({ code: z.string(), sub_code: z.string().optional() })
const done = z.object({
  out_biz_no: z.string().optional(),
  order_id: z.string().optional(),
  status: z.string(),
  fail_reason: z.string().optional(),
  error_code: z.string().optional(),
})

/** Alipay accepts digits, letters and underscores. */
const toOutBizNo = (payoutNo: string) => payoutNo.replaceAll('-', '_')

async function send(sdk: AlipaySdk, tools: SupplierTools, call: PayoutCall): Promise<PayoutFact> {
  const answer = await callGateway(sdk, tools, {
    method: 'alipay.fund.trans.uni.transfer',
    bizContent: {
      outBizNo: toOutBizNo(call.payoutNo),
      transAmount: formatMinor(call.minor),
      ...SCENE,
      orderTitle: call.title,
      payeeInfo: { identity: call.account, identityType: 'ALIPAY_LOGON_ID', name: call.name, certType: 'IDENTITY_CARD', certNo: call.identityNumber },
    },
  })
  if (!('code' in answer)) return toPayoutFact(answer.data, call.payoutNo)
  const fact = toRefusalFact(answer.code)
  if (fact) return fact
  const detail = `Alipay answered a transfer with ${answer.code}`
  throw GATEWAY_ERROR.test(answer.code) ? retryableError('our_account', detail, { ours: true }) : unknownError('unexpected_refusal', detail)
}

async function query(sdk: AlipaySdk, tools: SupplierTools, payoutNo: string): Promise<PayoutFact> {
  const answer = await callGateway(sdk, tools, { method: 'alipay.fund.trans.common.query', bizContent: { outBizNo: toOutBizNo(payoutNo), ...SCENE } })
  if ('code' in answer) {
    if (answer.code === 'ORDER_NOT_EXIST') return { status: 'not_found' }
    throw new Error(`Alipay could not be asked about a payout: ${answer.code}`)
  }
  return toPayoutFact(answer.data, payoutNo)
}

/** Reject an answer about another payout. */
function toPayoutFact(data: unknown, payoutNo: string): PayoutFact {
  const { out_biz_no: number, order_id: txn = '', status, error_code: code } = done.parse(data)
  if (number !== undefined && number !== toOutBizNo(payoutNo)) throw new Error('Alipay answered about another payout')
  if (status === 'SUCCESS') return { status: 'paid', txn }
  if (status === 'REFUND') return { status: 'returned', txn }
  if (status === 'FAIL' || status === 'CLOSED') return (code ? toRefusalFact(code) : undefined) ?? { status: 'refused', reason: 'refused' }
  if (status === 'DEALING' || status === 'INIT' || status === 'WAIT_PAY') return { status: 'pending' }
  throw new Error(`Alipay has an unknown state of payouts: ${status}`)
}

/** Gateway errors before a transfer begins: signature, application, permissions. Source: opendocs.alipay.com/common/02km9f */
const GATEWAY_ERROR = /^(isv|aop)\./

/**
 * Definite refusals of `alipay.fund.trans.uni.transfer`. Source: opendocs.alipay.com/open/02byuo, business error codes. `held`: a problem
 * of our account there, not a refusal of the payout. Undefined: the code is inconclusive, and the transfer is queried.
 */
function toRefusalFact(code: string): PayoutFact | undefined {
  const name = code.replace(/^.*\./, '')
  if (
    /^(PAYER_BALANCE_NOT_ENOUGH|BALANCE_IS_NOT_ENOUGH|PAYER_STATUS_ERROR|NO_ACCOUNT_RECEIVE_PERMISSION|PAYER_PERMLIMIT_CHECK_FAILURE|EXCEED_LIMIT_(DM|ENT|PERSONAL)\w*|PAYER_\w*)$/.test(
      name,
    )
  )
    return { status: 'held', why: name }
  if (/^(PAYEE_USER_INFO_ERROR|PAYEE_CERT_INFO_ERROR|PAYEE_NAME_\w+|IDENTITY_FUND_RELATION_NOT_FOUND)$/.test(name)) return { status: 'refused', reason: 'name' }
  if (/^(PAYEE_NOT_EXIST|PAYEE_ACC_OCUPIED|PAYEE_ACCOUNT_\w+|PAYEE_STATUS_ERROR|PAYEE_NOT_RELNAME_CERTIFY|PERMIT_\w*PAYEE\w*|INVALID_PAYEE\w*)$/.test(name))
    return { status: 'refused', reason: 'account' }
  if (/^(EXCEED_LIMIT_\w+|PAYEE_\w*LIMIT\w*)$/.test(name)) return { status: 'refused', reason: 'limit' }
  return OTHER_REFUSALS.has(name) ? { status: 'refused', reason: 'refused' } : undefined
}

const OTHER_REFUSALS: ReadonlySet<string> = new Set([
  ...['SECURITY_CHECK_FAILED', 'INVALID_PARAMETER', 'BLOCK_USER_FORBBIDEN_RECIEVE', 'BLOCK_USER_FORBBIDEN_SEND', 'USER_AGREEMENT_VERIFY_FAIL'],
  ...['PERMIT_CHECK_PERM_LIMITED', 'PERMIT_LIMIT_PAYEE', 'MEMO_REQUIRED_IN_TRANSFER_ERROR', 'MONEY_PAY_CLOSED', 'TRUSTEESHIP_ACCOUNT_NOT_EXIST'],
])

/** A query is retryable; a transfer has an unknown outcome unless nothing was sent. */
const toUnclearError = (method: string, isNothing: boolean, { reason, detail }: { readonly reason: string; readonly detail: string }): SupplierError =>
  isNothing || method.endsWith('.query') ? retryableError(reason, detail) : unknownError(reason, detail)

/**
 * Makes a call signed and verified by the vendor's SDK. An unclear response is unknown, with our own message: the SDK's errors quote the
 * request.
 */
async function callGateway(
  sdk: AlipaySdk,
  tools: SupplierTools,
  { method, bizContent }: { readonly method: string; readonly bizContent: Record<string, unknown> },
): Promise<{ data: unknown } | { code: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), DEADLINE_MS)
  })
  let data: unknown
  try {
    data = await Promise.race([sdk.exec(method, { bizContent, timestamp: toShanghaiTime(tools.now()) }, { validateSign: true }), late])
  } catch (error) {
    throw toUnclearError(method, wasNeverSent(error) || /status: 429/.test((error as Error).message), {
      reason: 'no_answer',
      detail: `Alipay did not clearly answer ${method}`,
    })
  } finally {
    clearTimeout(timer)
  }
  const { code, sub_code: subCode } = outcome.parse(data)
  if (code === '10000') return { data }
  if (code === '20000' || !subCode || /SYSTEM_ERROR|unknow-error|UNKNOWN|REQUEST_PROCESSING|RESOURCE_LIMIT|call-limited/i.test(subCode))
    throw toUnclearError(method, /call-limited|RESOURCE_LIMIT/i.test(subCode ?? ''), {
      reason: 'supplier_fault',
      detail: `Alipay is not sure about ${method}: ${subCode ?? code}`,
    })
  return { code: subCode }
}
