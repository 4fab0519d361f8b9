import { countCharacters } from '../kit/field-rules.ts'
import type { FieldRule, RuleContent, VendorFigure } from '../kit/field-rules.ts'

const SECURE_PAY = ['POST /v1.2/transactions/securepay']
const APLUS = ['POST /v1.2/transactions/aplus']
const OPENINGS = [...SECURE_PAY, ...APLUS]
const REFUNDS = ['POST /v1.2/transactions/refund/{transaction_id}']
/** The vendor's one page of documentation, version 1.2. */
const DOCS = 'https://docs.nihaopay.com/api/v1.2/en/'
const PAGES = {
  securePay: `${DOCS}#securepay`,
  aplus: `${DOCS}#alipay-a`,
  refund: `${DOCS}#refund-a-transaction`,
  refundQuery: `${DOCS}#refund-query`,
  list: `${DOCS}#list-transactions`,
  ipn: `${DOCS}#ipn`,
  errors: `${DOCS}#errors`,
} as const

/** Figures that the product keeps too: the tests of the feature compare them. */
export const NIHAOPAY_FIGURES = {
  securePayMostMinutes: { value: 1440, source: PAGES.securePay },
  aplusMostMinutes: { value: 10, source: PAGES.aplus },
  referenceCharacters: { value: 30, source: PAGES.securePay },
  listMost: { value: 100, source: PAGES.list },
} as const satisfies Record<string, VendorFigure>

/** Seconds between the tries of a notice: at 0, 1, 2, 4, 8, 20 and 30 minutes; any answer with status 200 ends them. */
export const NIHAOPAY_NOTICE_SCHEDULE = { value: [60, 60, 120, 240, 720, 600], source: PAGES.ipn } as const

const isText = (most: number) => (text: unknown) => typeof text === 'string' && countCharacters(text) >= 1 && countCharacters(text) <= most
const matches = (pattern: RegExp) => (text: unknown) => typeof text === 'string' && pattern.test(text)
const isMinor = matches(/^[1-9]\d*$/)
const isMinutes = (most: number) => (text: unknown) => matches(/^\d+$/)(text) && Number(text) >= 1 && Number(text) <= most
const CURRENCIES = /^(USD|JPY|HKD|EUR|CAD|GBP|SGD|AUD)$/
const INVALID = { code: '400-90' } as const

export const NIHAOPAY_RULES: readonly FieldRule[] = [
  {
    ...INVALID,
    calls: OPENINGS,
    field: 'reference',
    rule: 'required; letters and digits, at most 30',
    required: true,
    holds: matches(/^[0-9A-Za-z]{1,30}$/),
    source: PAGES.securePay,
  },
  {
    ...INVALID,
    calls: [...OPENINGS, ...REFUNDS],
    field: 'amount',
    rule: 'either amount or rmb_amount, a positive whole number of minor units',
    required: true,
    holds: (amount, content: RuleContent) => (amount === undefined ? isMinor(content['rmb_amount']) : isMinor(amount) && content['rmb_amount'] === undefined),
    source: PAGES.securePay,
  },
  {
    ...INVALID,
    calls: [...OPENINGS, ...REFUNDS],
    field: 'currency',
    rule: 'required; USD, JPY, HKD, EUR, CAD, GBP, SGD or AUD',
    required: true,
    holds: matches(CURRENCIES),
    source: PAGES.securePay,
  },
  { ...INVALID, calls: OPENINGS, field: 'ipn_url', rule: 'required; an address', required: true, holds: matches(/^https?:\/\//), source: PAGES.ipn },
  {
    ...INVALID,
    calls: OPENINGS,
    field: 'callback_url',
    rule: 'required for a browser',
    required: true,
    holds: (url, content: RuleContent) => matches(/^https?:\/\//)(url) || /^(APP|MICRO)$/.test(String(content['terminal'])),
    source: PAGES.securePay,
  },
  {
    ...INVALID,
    calls: SECURE_PAY,
    field: 'vendor',
    rule: 'required; unionpay, alipay, wechatpay or PayPal',
    required: true,
    holds: matches(/^(unionpay|alipay|wechatpay|PayPal)$/),
    source: PAGES.securePay,
  },
  {
    ...INVALID,
    calls: SECURE_PAY,
    field: 'timeout',
    rule: 'minutes, 1 to 1440',
    holds: isMinutes(NIHAOPAY_FIGURES.securePayMostMinutes.value),
    source: PAGES.securePay,
  },
  { ...INVALID, calls: APLUS, field: 'timeout', rule: 'minutes, 1 to 10', holds: isMinutes(NIHAOPAY_FIGURES.aplusMostMinutes.value), source: PAGES.aplus },
  { ...INVALID, calls: SECURE_PAY, field: 'terminal', rule: 'ONLINE or WAP', holds: matches(/^(ONLINE|WAP)$/), source: PAGES.securePay },
  { ...INVALID, calls: APLUS, field: 'terminal', rule: 'ONLINE, WAP, APP or MICRO', holds: matches(/^(ONLINE|WAP|APP|MICRO)$/), source: PAGES.aplus },
  {
    ...INVALID,
    calls: APLUS,
    field: 'ostype',
    rule: 'ANDROID or IOS; required but for ONLINE',
    required: true,
    holds: (type, content: RuleContent) => (type === undefined ? (content['terminal'] ?? 'ONLINE') === 'ONLINE' : /^(ANDROID|IOS)$/.test(String(type))),
    source: PAGES.aplus,
  },
  {
    ...INVALID,
    calls: APLUS,
    field: 'wallet',
    rule: 'one of the wallets, or CONNECT_WALLET',
    holds: matches(/^(ALIPAY_CN|ALIPAY_HK|TRUEMONEY|TNG|GCASH|DANA|KAKAOPAY|CONNECT_WALLET)$/),
    source: PAGES.aplus,
  },
  { ...INVALID, calls: SECURE_PAY, field: 'response_format', rule: 'HTML or JSON', holds: matches(/^(HTML|JSON)$/), source: PAGES.securePay },
  { ...INVALID, calls: OPENINGS, field: 'description', rule: 'not empty', holds: isText(1000), source: PAGES.securePay },
]
