import type { Oracle, StandInReply } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { ALIYUN_SMS_RULES } from './rules.ts'

/** An object with exactly these fields; `?` after a name makes it optional. */
const closed = (fields: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(fields).filter((name) => !name.endsWith('?')),
  additionalProperties: false,
})
const text = { type: 'string' }
const some = { type: 'string', minLength: 1 }
const refused = closed({ 'RequestId': some, 'Code': some, 'Message': text, 'HostId?': text, 'Recommend?': text })

/**
 * Written by hand. SMS: https://help.aliyun.com/document_detail/55284.html (SendSms) and https://developer.aliyun.com/ask/217899 (QuerySendDetails).
 * Balance: https://help.aliyun.com/zh/user-center/developer-reference/api-bssopenapi-2017-12-14-queryaccountbalance. Captcha:
 * https://www.alibabacloud.com/help/en/captcha/captcha2-0/user-guide/server-access. Parameters travel in the query.
 */
const SCHEMAS = {
  SendSms: closed({
    'PhoneNumbers': { type: 'string', pattern: String.raw`^[+\d,]{8,}$` },
    'SignName': some,
    'TemplateCode': { type: 'string', pattern: String.raw`^SMS_\d+$` },
    'TemplateParam?': { type: 'string', pattern: String.raw`^\{.*\}$` },
    'SmsUpExtendCode?': some,
    'OutId?': { type: 'string', minLength: 1, maxLength: 256 },
  }),
  SendSmsReply: closed({ RequestId: some, Code: { const: 'OK' }, Message: text, BizId: some }),
  QuerySendDetails: closed({
    'PhoneNumber': { type: 'string', pattern: String.raw`^\d{8,15}$` },
    'BizId?': some,
    'SendDate': { type: 'string', pattern: String.raw`^\d{8}$` },
    'PageSize': { type: 'string', pattern: '^([1-9]|[1-4][0-9]|50)$' },
    'CurrentPage': { type: 'string', pattern: String.raw`^[1-9]\d*$` },
  }),
  QuerySendDetailsReply: closed({
    RequestId: some,
    Code: { const: 'OK' },
    Message: text,
    TotalCount: text,
    SmsSendDetailDTOs: closed({
      SmsSendDetailDTO: {
        type: 'array',
        maxItems: ALIYUN_SMS_RULES.details.mostPageSize,
        items: closed({
          'PhoneNum': some,
          'SendStatus': { enum: [1, 2, 3] },
          'ErrCode': text,
          'TemplateCode': some,
          'Content': text,
          'SendDate': some,
          'ReceiveDate': text,
          'OutId?': text,
        }),
      },
    }),
  }),
  QueryAccountBalance: closed({}),
  QueryAccountBalanceReply: closed({
    RequestId: some,
    Code: { const: '200' },
    Message: text,
    Success: { type: 'boolean' },
    Data: closed({
      AvailableAmount: { type: 'string', pattern: String.raw`^-?[\d,]+\.\d+$` },
      AvailableCashAmount: text,
      CreditAmount: text,
      MybankCreditAmount: text,
      Currency: { enum: ['CNY', 'USD', 'JPY'] },
    }),
  }),
  VerifyIntelligentCaptcha: closed({ 'CaptchaVerifyParam': text, 'SceneId?': some }),
  VerifyIntelligentCaptchaReply: closed({
    RequestId: some,
    Code: some,
    Message: text,
    Success: { type: 'boolean' },
    Result: closed({ VerifyResult: { type: 'boolean' }, VerifyCode: { type: 'string', pattern: String.raw`^[TF]\d{3}$` } }),
  }),
  refused,
}
const ACTIONS = ['SendSms', 'QuerySendDetails', 'QueryAccountBalance', 'VerifyIntelligentCaptcha'] as const

/** All actions are calls of `/`: each is compared as an endpoint of its own, by its query. */
export function createAliyunOracle(): Oracle {
  const oracle = createOracle({
    vendor: 'aliyun',
    schemas: SCHEMAS,
    endpoints: Object.fromEntries(ACTIONS.map((action) => [`GET /${action}`, { request: action, reply: `${action}Reply` }])),
    error: 'refused',
  })
  // A code of the business other than these refuses the request, although its status is 200.
  const isRefused = (reply: StandInReply) => !['OK', '200', 'Success'].includes((JSON.parse(reply.body.toString()) as { Code: string }).Code)
  return {
    ...oracle,
    check: (request, reply) => {
      const action = String(request.headers['x-acs-action'])
      oracle.check({ ...request, method: 'GET', path: `/${action}` }, isRefused(reply) ? { ...reply, status: Math.max(400, reply.status) } : reply)
    },
  }
}
