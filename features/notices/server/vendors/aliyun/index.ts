import { randomUUID } from 'node:crypto'
import { signAcs3Headers, formatAcs3Query } from '#platform/server/sealing/sign-acs3.ts'
import type { NoticesConfig, ReadySms, SmsVendor } from '../port.ts'
import {
  mapCodes,
  findCodeError,
  failedReplyError,
  lostCallError,
  retryableError,
  unknownError,
  type SupplierError,
  type VendorCodes,
} from '#platform/shared/suppliers/supplier-error.ts'

interface AliyunReply {
  /** 0 if there was no response. */
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly problem: unknown
}

/**
 * Source: help.aliyun.com, SMS (Dysmsapi 2017-05-25), "API error codes". Unlisted codes that begin with `isv.` and any other 4xx concern
 * our account: sign name, template, balance, signature.
 */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'number' }, 'isv.MOBILE_NUMBER_ILLEGAL', 'isv.PHONE_NUMBER_ILLEGAL', 'isv.MOBILE_COUNT_OVER_LIMIT'),
  ...mapCodes({ kind: 'rejected', reason: 'limit' }, 'isv.BUSINESS_LIMIT_CONTROL', 'isv.DAY_LIMIT_CONTROL', 'isv.MONTH_LIMIT_CONTROL'),
  ...mapCodes({ kind: 'rejected', reason: 'blocked' }, 'isv.BLACK_KEY_CONTROL_LIMIT', 'isv.DENY_IP_RANGE', 'isv.UNSUPPORTED_REGION'),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 'Throttling', 'Throttling.User', 'Throttling.Api', 'ServiceUnavailable', 'isp.GATEWAY_ERROR'),
  ...mapCodes({ kind: 'unknown', reason: 'supplier_fault' }, 'isp.SYSTEM_ERROR', 'InternalError'),
}

const readCode = (body: AliyunReply['body']): string => (typeof body?.['Code'] === 'string' ? body['Code'] : '')

/** Throws unless the message was accepted. */
function requireAliyunAccepted({ status, body, problem }: AliyunReply): void {
  if (status === 0) throw lostCallError(problem, { writes: true })
  const code = readCode(body)
  if (code === 'OK') return
  throw toSupplierError(code, status)
}

function toSupplierError(code: string, status: number): SupplierError {
  const detail = `aliyun ${code || status}`
  if (!code) return status === 429 ? failedReplyError({ status, writes: true }) : unknownError('unreadable', detail)
  const known = findCodeError(CODES, code, detail)
  if (known) return known
  if (code.startsWith('Throttling.')) return retryableError('too_many', detail)
  return status >= 500 ? unknownError('supplier_fault', detail) : retryableError('our_account', detail, { ours: true })
}

/** Throws unless a query was answered; the error is retryable. */
function requireAliyunReply({ status, body, problem }: AliyunReply): Record<string, unknown> {
  if (status === 0) throw lostCallError(problem, { writes: false })
  if (readCode(body) !== 'OK') throw failedReplyError({ status, said: `aliyun ${readCode(body)}`, writes: false })
  return body!
}

const buildTemplateError = (): SupplierError => retryableError('our_account', 'aliyun: ALIYUN_SMS_TEMPLATE_ALARM is not set', { ours: true })

interface Api {
  readonly endpoint: 'ALIYUN_SMS_ENDPOINT' | 'ALIYUN_BILLING_ENDPOINT'
  readonly version: string
}
const SMS: Api = { endpoint: 'ALIYUN_SMS_ENDPOINT', version: '2017-05-25' }
const BILLING: Api = { endpoint: 'ALIYUN_BILLING_ENDPOINT', version: '2017-12-14' }

/** SendSms and QuerySendDetails of Aliyun SMS (Dysmsapi 2017-05-25), signed by hand. Source: help.aliyun.com. */
export const aliyun: SmsVendor = {
  id: 'aliyun',
  sandbox: false,
  regions: (config) => {
    const { ALIYUN_SMS_ACCESS_KEY_ID: id, ALIYUN_SMS_ACCESS_KEY_SECRET: secret, ALIYUN_SMS_SIGN_NAME: sign } = config
    if (!id || !secret || !sign) return []
    return [...(config.ALIYUN_SMS_TEMPLATE_CODE ? (['86'] as const) : []), ...(config.ALIYUN_SMS_TEMPLATE_CODE_INTL ? (['852', '853'] as const) : [])]
  },
  // QueryAccountBalance of BssOpenApi: thousands are separated by commas
  balance: async ({ config, clock }) => {
    const { status, body } = await request(config, BILLING, { action: 'QueryAccountBalance', query: {}, now: clock.now() })
    const { AvailableAmount: amount, Currency: currency } = (body?.['Data'] ?? {}) as { AvailableAmount?: string; Currency?: string }
    if (status !== 200 || !amount || !currency) throw new Error(`aliyun ${String(body?.['Code'] ?? status)}`)
    return { currency, amount: amount.replaceAll(',', '') }
  },
  open: ({ config, clock }) => {
    const call = (action: string, query: Record<string, string>) => request(config, SMS, { action, query, now: clock.now() })
    return {
      send: async (sms) => {
        const template = chooseTemplate(config, sms)
        // other carriers of the region may not need a template
        if (!template) throw buildTemplateError()
        const answer = await call('SendSms', {
          PhoneNumbers: toAliyunNumber(sms),
          SignName: config.ALIYUN_SMS_SIGN_NAME!,
          TemplateCode: template,
          TemplateParam: JSON.stringify(sms.alarm ? fillEmptyValues(sms.alarm) : { code: sms.code }),
          OutId: sms.id,
        })
        requireAliyunAccepted(answer)
      },
      find: async (sms) => {
        // The vendor files a message under the day on which it accepted it, in the vendor's time zone.
        for (const day of new Set([toAliyunDay(clock.now()), toAliyunDay(sms.orderedAt)])) {
          const page = { PhoneNumber: toAliyunNumber(sms), SendDate: day, PageSize: '50', CurrentPage: '1' }
          const body = requireAliyunReply(await call('QuerySendDetails', page))
          const details = (body['SmsSendDetailDTOs'] as { SmsSendDetailDTO?: { OutId?: string; SendStatus?: number }[] } | undefined)?.SmsSendDetailDTO ?? []
          const FAILED = 2
          if (details.some((detail) => detail.OutId === sms.id && Number(detail.SendStatus) !== FAILED)) return 'taken'
        }
        return 'absent'
      },
    }
  },
}

function chooseTemplate(config: NoticesConfig, { alarm, region }: ReadySms): string | undefined {
  if (alarm) return config.ALIYUN_SMS_TEMPLATE_ALARM
  return region === '86' ? config.ALIYUN_SMS_TEMPLATE_CODE : config.ALIYUN_SMS_TEMPLATE_CODE_INTL
}

/** Aliyun refuses a variable without a value (isv.TEMPLATE_MISSING_PARAMETERS), and alarms of events have no detail. */
const fillEmptyValues = (values: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value || '-']))

/** Formats mainland numbers without the region, others as region and number. */
const toAliyunNumber = (sms: ReadySms) => (sms.region === '86' ? sms.to.slice('+86'.length) : sms.to.slice(1))

const toAliyunDay = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')

async function request(
  config: NoticesConfig,
  { endpoint, version }: Api,
  { action, query, now }: { readonly action: string; readonly query: Record<string, string>; readonly now: Date },
): Promise<AliyunReply> {
  const url = new URL(config[endpoint])
  const headers = signAcs3Headers({
    host: url.host,
    action,
    version,
    query,
    accessKeyId: config.ALIYUN_SMS_ACCESS_KEY_ID!,
    accessKeySecret: config.ALIYUN_SMS_ACCESS_KEY_SECRET!,
    nonce: randomUUID(),
    now,
  })
  try {
    const reply = await fetch(`${url.origin}/?${formatAcs3Query(query)}`, { method: 'POST', redirect: 'manual', headers, signal: AbortSignal.timeout(10_000) })
    return { status: reply.status, body: (await reply.json().catch(() => undefined)) as Record<string, unknown> | undefined, problem: undefined }
  } catch (problem) {
    return { status: 0, body: undefined, problem }
  }
}
