import type { StandInReply } from '../kit/server.ts'
import { ALIYUN_SMS_RULES } from './rules.ts'
import type { AliyunErrorCode } from './rules.ts'
import { ALIYUN_REQUEST_ID, toAliyunError, toAliyunJson } from './wire.ts'

/** An approved template: of codes or of other messages, for the mainland or other regions. */
export interface AliyunTemplate {
  readonly code: string
  readonly kind: 'code' | 'notice'
  readonly region: 'mainland' | 'abroad'
  readonly content: string
}
export interface AliyunSms {
  readonly to: string
  readonly sign: string
  readonly template: string
  readonly variables: Readonly<Record<string, string>>
  readonly outId: string
  readonly at: Date
  /** 1: a receipt is awaited, 2: failed, 3: delivered. */
  status: 1 | 2 | 3
}
export interface AliyunSmsState {
  readonly signs: Set<string>
  readonly templates: AliyunTemplate[]
  readonly sms: AliyunSms[]
  /** Error of the next messages, whatever they are. */
  refusal: AliyunErrorCode | undefined
}

const DAY_MS = 86_400_000
/** Its days and times are those of Shanghai. */
const toShanghai = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export function createAliyunSms(state: AliyunSmsState, now: () => Date) {
  function parseVariables(text: string): Record<string, unknown> | undefined {
    try {
      const value: unknown = JSON.parse(text)
      return value && typeof value === 'object' ? (value as Record<string, unknown>) : undefined
    } catch {
      return undefined
    }
  }
  function refuseVariables({ content, kind }: AliyunTemplate, variables: Record<string, unknown> | undefined): AliyunErrorCode | undefined {
    if (!variables || !Object.values(variables).every((each) => typeof each === 'string')) return 'isv.INVALID_JSON_PARAM'
    const { least, most } = kind === 'code' ? ALIYUN_SMS_RULES.codeVariable : ALIYUN_SMS_RULES.variable
    for (const [, name] of content.matchAll(/\$\{(\w+)\}/g)) {
      const value = variables[name!] as string | undefined
      if ((value ?? '').length < ALIYUN_SMS_RULES.variableValue.least) return 'isv.TEMPLATE_MISSING_PARAMETERS'
      if (value!.length < least || value!.length > most) return 'isv.PARAM_LENGTH_LIMIT'
      if (ALIYUN_SMS_RULES.urlInVariable.pattern.test(value!)) return 'isv.PARAM_NOT_SUPPORT_URL'
    }
    return undefined
  }
  function isAboveLimit(to: string, sign: string, { code, kind }: AliyunTemplate): boolean {
    const sent = (ms: number) => state.sms.filter((one) => one.to === to && one.sign === sign && now().getTime() - one.at.getTime() < ms)
    const { minute, hour, day } = ALIYUN_SMS_RULES.codesPerNumber
    const isCode = (one: AliyunSms) => state.templates.some((template) => template.code === one.template && template.kind === 'code')
    if (kind === 'notice') return sent(DAY_MS).filter(({ template }) => template === code).length >= ALIYUN_SMS_RULES.messagesPerNumber.day
    const counts = [60_000, 3_600_000, DAY_MS].map((ms) => sent(ms).filter(isCode).length) as [number, number, number]
    return counts[0] >= minute || counts[1] >= hour || counts[2] >= day
  }

  function send(query: URLSearchParams): StandInReply {
    const [numbers, sign, code, param, outId] = ['PhoneNumbers', 'SignName', 'TemplateCode', 'TemplateParam', 'OutId'].map((name) => query.get(name) ?? '') as [
      ...[string, string, string, string, string],
    ]
    if (!numbers || !sign || !code) return toAliyunError('MissingParameter')
    if (state.refusal) return toAliyunError(state.refusal)
    const region = ALIYUN_SMS_RULES.mainland.pattern.test(numbers) ? 'mainland' : ALIYUN_SMS_RULES.abroad.pattern.test(numbers) ? 'abroad' : undefined
    if (!region) return toAliyunError('isv.MOBILE_NUMBER_ILLEGAL')
    if (!state.signs.has(sign)) return toAliyunError('isv.SMS_SIGNATURE_ILLEGAL')
    const template = state.templates.find((one) => one.code === code && one.region === region)
    if (!template) return toAliyunError('isv.SMS_TEMPLATE_ILLEGAL')
    const variables = parseVariables(param || '{}')
    const refused = refuseVariables(template, variables)
    if (refused) return toAliyunError(refused)
    if (isAboveLimit(numbers, sign, template)) return toAliyunError('isv.BUSINESS_LIMIT_CONTROL')
    state.sms.push({ to: numbers, sign, template: code, variables: variables as Record<string, string>, outId, at: now(), status: 1 })
    return toAliyunJson(200, { RequestId: ALIYUN_REQUEST_ID, Code: 'OK', Message: 'OK', BizId: `${900_619_746_936 + state.sms.length}^0` })
  }

  function listDetails(query: URLSearchParams): StandInReply {
    const [number, date, size, page] = ['PhoneNumber', 'SendDate', 'PageSize', 'CurrentPage'].map((name) => query.get(name) ?? '') as [
      string,
      string,
      string,
      string,
    ]
    if (!number || !date || !size || !page) return toAliyunError('MissingParameter')
    const { mostDays, mostPageSize } = ALIYUN_SMS_RULES.details
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? []
    const age = now().getTime() - Date.parse(`${year}-${month}-${day}T00:00:00+08:00`)
    if (!year || !(age < (mostDays + 1) * DAY_MS) || Number(size) < 1 || Number(size) > mostPageSize || Number(page) < 1)
      return toAliyunError('isv.INVALID_PARAMETERS')
    const all = state.sms.filter(({ to, at }) => to === number && toShanghai(at).slice(0, 10) === `${year}-${month}-${day}`).toReversed()
    const details = all.slice((Number(page) - 1) * Number(size), Number(page) * Number(size)).map(({ outId, template, status, at, variables, sign }) => ({
      ...{ PhoneNum: number, SendStatus: status, ErrCode: status === 3 ? 'DELIVERED' : '', TemplateCode: template, OutId: outId },
      ...{ Content: `【${sign}】${Object.values(variables).join(' ')}`, SendDate: toShanghai(at), ReceiveDate: status === 1 ? '' : toShanghai(at) },
    }))
    const list = { RequestId: ALIYUN_REQUEST_ID, Code: 'OK', Message: 'OK', TotalCount: String(all.length), SmsSendDetailDTOs: { SmsSendDetailDTO: details } }
    return toAliyunJson(200, list)
  }
  return { send, listDetails }
}
