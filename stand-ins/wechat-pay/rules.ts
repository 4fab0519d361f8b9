import { isIP } from 'node:net'
import { countCharacters } from '../kit/field-rules.ts'
import type { FieldRule, RuleContent, VendorFigure } from '../kit/field-rules.ts'

const NATIVE = ['POST /v3/pay/transactions/native']
const H5 = ['POST /v3/pay/transactions/h5']
const ORDERS = [...NATIVE, ...H5]
const REFUNDS = ['POST /v3/refund/domestic/refunds']
const CLOSE = ['POST /v3/pay/transactions/out-trade-no/{out_trade_no}/close']
const PAGES = {
  native: 'https://pay.weixin.qq.com/doc/v3/merchant/4012791877',
  h5: 'https://pay.weixin.qq.com/docs/merchant/apis/h5-payment/direct-jsons/h5-prepay.html',
  refund: 'https://pay.weixin.qq.com/doc/v3/merchant/4012587971',
  signature: 'https://pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay4_0.shtml',
  answers: 'https://pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay4_1.shtml',
  faq: 'https://pay.weixin.qq.com/wechatpay_h5/pages/faq/refund.shtml',
  notify: 'https://pay.weixin.qq.com/wiki/doc/apiv3/wxpay/pay/transactions/chapter3_11.shtml',
} as const

/** Figures that the product keeps too: the tests of the feature compare them. */
export const WECHAT_PAY_FIGURES = {
  refundDays: { value: 365, source: PAGES.refund },
  refundsOfOrder: { value: 50, source: PAGES.refund },
  signatureSeconds: { value: 300, source: PAGES.answers },
  codeLifeSeconds: { value: 7200, source: PAGES.native },
  h5LifeSeconds: { value: 300, source: PAGES.h5 },
  reasonCharacters: { value: 80, source: PAGES.refund },
} as const satisfies Record<string, VendorFigure>

/** Seconds between the tries of a notice, 15 of them in a day. */
export const WECHAT_PAY_NOTICE_SCHEDULE = {
  value: [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600],
  source: PAGES.notify,
} as const

const isText = (most: number) => (text: unknown) => typeof text === 'string' && countCharacters(text) >= 1 && countCharacters(text) <= most
const matches = (pattern: RegExp) => (text: unknown) => typeof text === 'string' && pattern.test(text)
const isFen = (value: unknown) => Number.isInteger(value) && (value as number) >= 1
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/
const INVALID = { code: 'PARAM_ERROR' } as const

/** An address without parameters, as notices are sent there unchanged. */
const isNotifyUrl = (url: unknown) => isText(255)(url) && matches(/^https?:\/\/[^?#]+$/)(url)

export const WECHAT_PAY_RULES: readonly FieldRule[] = [
  { ...INVALID, calls: ORDERS, field: 'appid', rule: 'required; at most 32', required: true, holds: isText(32), source: PAGES.native },
  { ...INVALID, calls: [...ORDERS, ...CLOSE], field: 'mchid', rule: 'required; at most 32', required: true, holds: isText(32), source: PAGES.native },
  { ...INVALID, calls: ORDERS, field: 'description', rule: 'required; at most 127 characters', required: true, holds: isText(127), source: PAGES.native },
  {
    ...INVALID,
    calls: ORDERS,
    field: 'out_trade_no',
    rule: 'required; 6 to 32 of digits, letters and _ - | *',
    required: true,
    holds: matches(/^[\w*|-]{6,32}$/),
    source: PAGES.native,
  },
  {
    ...INVALID,
    calls: ORDERS,
    field: 'time_expire',
    rule: 'RFC 3339 with the offset of Shanghai, at least a minute ahead',
    holds: (text, _, now) => matches(RFC3339)(text) && Date.parse(text as string) - now.getTime() >= 60_000,
    source: PAGES.native,
  },
  { ...INVALID, calls: ORDERS, field: 'attach', rule: 'at most 128 characters', holds: isText(128), source: PAGES.native },
  { ...INVALID, calls: ORDERS, field: 'goods_tag', rule: 'at most 32 characters', holds: isText(32), source: PAGES.native },
  {
    ...INVALID,
    calls: ORDERS,
    field: 'notify_url',
    rule: 'required; an absolute address of at most 255 characters, without parameters',
    required: true,
    holds: isNotifyUrl,
    source: PAGES.native,
  },
  { ...INVALID, calls: ORDERS, field: 'amount.total', rule: 'required; a whole number of fen, at least 1', required: true, holds: isFen, source: PAGES.native },
  { ...INVALID, calls: ORDERS, field: 'amount.currency', rule: 'CNY', holds: (currency) => currency === 'CNY', source: PAGES.native },
  {
    ...INVALID,
    calls: H5,
    field: 'scene_info.payer_client_ip',
    rule: "required; the payer's address, IPv4 or IPv6",
    required: true,
    holds: (ip) => isText(45)(ip) && isIP(ip as string) !== 0,
    source: PAGES.h5,
  },
  {
    ...INVALID,
    calls: H5,
    field: 'scene_info.h5_info.type',
    rule: 'required; iOS, Android or Wap',
    required: true,
    holds: matches(/^(iOS|Android|Wap)$/),
    source: PAGES.h5,
  },
  {
    ...INVALID,
    calls: REFUNDS,
    field: 'out_trade_no',
    rule: 'this or transaction_id is required; 6 to 32',
    required: true,
    holds: (number, content: RuleContent) => (number === undefined ? isText(32)(content['transaction_id']) : matches(/^[\w*|-]{6,32}$/)(number)),
    source: PAGES.refund,
  },
  {
    ...INVALID,
    calls: REFUNDS,
    field: 'out_refund_no',
    rule: 'required; at most 64 of digits, letters and _ - | * @',
    required: true,
    holds: matches(/^[\w*|@-]{1,64}$/),
    source: PAGES.refund,
  },
  {
    ...INVALID,
    calls: REFUNDS,
    field: 'reason',
    rule: 'at most 80 characters',
    holds: isText(WECHAT_PAY_FIGURES.reasonCharacters.value),
    source: PAGES.refund,
  },
  { ...INVALID, calls: REFUNDS, field: 'notify_url', rule: 'an absolute address without parameters', holds: isNotifyUrl, source: PAGES.refund },
  { ...INVALID, calls: REFUNDS, field: 'amount.refund', rule: 'required; whole fen', required: true, holds: isFen, source: PAGES.refund },
  { ...INVALID, calls: REFUNDS, field: 'amount.total', rule: 'required; whole fen', required: true, holds: isFen, source: PAGES.refund },
  {
    ...INVALID,
    calls: REFUNDS,
    field: 'amount.currency',
    rule: 'required; CNY',
    required: true,
    holds: (currency) => currency === 'CNY',
    source: PAGES.refund,
  },
]
