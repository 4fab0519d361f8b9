import { countCharacters } from '../kit/field-rules.ts'
import type { FieldRule, RuleContent, VendorFigure } from '../kit/field-rules.ts'

/** Pages of a method's parameters. */
const PAGES = {
  page: 'https://docs.open.alipay.com/api_1/alipay.trade.page.pay',
  wap: 'https://docs.open.alipay.com/api_1/alipay.trade.wap.pay',
  pay: 'https://docs.open.alipay.com/api_1/alipay.trade.pay',
  refund: 'https://docs.open.alipay.com/api_1/alipay.trade.refund',
  close: 'https://docs.open.alipay.com/api_1/alipay.trade.close',
  sign: 'https://docs.open.alipay.com/api_2/alipay.user.agreement.page.sign',
  transfer: 'https://opendocs.alipay.com/open/02byuo',
  face: 'https://opendocs.alipay.com/open/02ahjv',
  notify: 'https://opendocs.alipay.com/open/270/105902',
  bill: 'https://docs.open.alipay.com/api_15/alipay.data.dataservice.bill.downloadurl.query',
} as const
/** Alipay's own SDK, which repeats the rules of each field. */
const SDK = 'https://github.com/alipay/alipay-sdk-java-all/blob/master/src/main/java/com/alipay/api/domain'

const OPENINGS = ['alipay.trade.page.pay', 'alipay.trade.wap.pay', 'alipay.trade.precreate', 'alipay.trade.pay']
const TRADES = [...OPENINGS, 'alipay.trade.query', 'alipay.trade.close', 'alipay.trade.refund', 'alipay.trade.fastpay.refund.query']
const AGREEMENTS = ['alipay.user.agreement.page.sign', 'alipay.user.agreement.query', 'alipay.user.agreement.unsign']
const TRANSFER = ['alipay.fund.trans.uni.transfer']
const TRANSFERS = [...TRANSFER, 'alipay.fund.trans.common.query']
const FACE = 'datadigital.fincloud.generalsaas.face.certify'

/** Figures that the product keeps too: the tests of the features compare them. */
export const ALIPAY_FIGURES = {
  /** Set in the merchant's contract; a year unless it says less. */
  refundDays: { value: 365, source: PAGES.refund },
  outTradeNoCharacters: { value: 64, source: PAGES.page },
  externalAgreementNoCharacters: { value: 32, source: PAGES.sign },
  agreementLeastDays: { value: 7, source: PAGES.sign },
  transferLeastFen: { value: 10, source: PAGES.transfer },
  subjectCharacters: { value: 256, source: PAGES.page },
  faceOrderCharacters: { value: 32, source: PAGES.face },
} as const satisfies Record<string, VendorFigure>

/** Seconds between the tries of a notice: 4 m, 10 m, 10 m, 1 h, 2 h, 6 h, 15 h; the answer `success` ends them. */
export const ALIPAY_NOTICE_SCHEDULE = { value: [240, 600, 600, 3600, 7200, 21_600, 54_000], source: PAGES.notify } as const

const isText = (most: number) => (text: unknown) => typeof text === 'string' && countCharacters(text) >= 1 && countCharacters(text) <= most
const matches = (pattern: RegExp) => (text: unknown) => typeof text === 'string' && pattern.test(text)
/** Two decimals, between two sums in yuan. */
const isAmount = (least: number, most: number) => (text: unknown) =>
  typeof text === 'string' && /^\d+\.\d\d$/.test(text) && Number(text) >= least && Number(text) <= most
const shanghai = (text: string) => Date.parse(`${text.replace(' ', 'T')}+08:00`)

export const ALIPAY_RULES: readonly FieldRule[] = [
  {
    calls: OPENINGS,
    field: 'out_trade_no',
    rule: 'required; letters, digits and underscores, at most 64',
    required: true,
    holds: matches(/^\w{1,64}$/),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradePagePayModel.java`,
  },
  {
    calls: TRADES,
    field: 'out_trade_no',
    rule: 'this or trade_no is required; at most 64',
    required: true,
    holds: (value, content) => isText(64)(value ?? content['trade_no']),
    code: 'INVALID_PARAMETER',
    source: PAGES.close,
  },
  {
    calls: OPENINGS,
    field: 'total_amount',
    rule: 'required; yuan with two decimals, 0.01 to 100000000',
    required: true,
    holds: isAmount(0.01, 100_000_000),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradePagePayModel.java`,
  },
  {
    calls: OPENINGS,
    field: 'subject',
    rule: 'required; at most 256 characters, without / = &',
    required: true,
    holds: (text) => isText(ALIPAY_FIGURES.subjectCharacters.value)(text) && !/[/=&]/.test(text as string),
    code: 'INVALID_PARAMETER',
    source: PAGES.page,
  },
  {
    calls: ['alipay.trade.page.pay'],
    field: 'product_code',
    rule: 'required; FAST_INSTANT_TRADE_PAY',
    required: true,
    holds: (code) => code === 'FAST_INSTANT_TRADE_PAY',
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradePagePayModel.java`,
  },
  {
    calls: ['alipay.trade.wap.pay'],
    field: 'product_code',
    rule: 'required; QUICK_WAP_WAY',
    required: true,
    holds: (code) => code === 'QUICK_WAP_WAY',
    code: 'INVALID_PARAMETER',
    source: PAGES.wap,
  },
  {
    calls: ['alipay.trade.wap.pay'],
    field: 'quit_url',
    rule: 'required; an address of at most 400 characters',
    required: true,
    holds: (url) => isText(400)(url) && matches(/^https?:\/\//)(url),
    code: 'INVALID_PARAMETER',
    source: PAGES.wap,
  },
  {
    calls: OPENINGS,
    field: 'time_expire',
    rule: 'yyyy-MM-dd HH:mm:ss, a minute to fifteen days ahead',
    holds: (text, _, now) =>
      matches(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)(text) &&
      shanghai(text as string) - now.getTime() >= 60_000 &&
      shanghai(text as string) - now.getTime() <= 15 * 86_400_000,
    code: 'INVALID_PARAMETER',
    source: PAGES.page,
  },
  {
    calls: OPENINGS,
    field: 'timeout_express',
    rule: '1m to 15d, in m, h or d without decimals, or 1c',
    holds: matches(/^(1c|[1-9]\d{0,4}m|[1-9]\d{0,2}h|([1-9]|1[0-5])d)$/),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradePagePayModel.java`,
  },
  {
    calls: ['alipay.trade.page.pay'],
    field: 'qrcode_width',
    rule: 'only with qr_pay_mode 4',
    holds: (width, content) => Number.isInteger(width) && content['qr_pay_mode'] === '4',
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradePagePayModel.java`,
  },
  {
    calls: ['alipay.trade.pay'],
    field: 'agreement_params',
    rule: 'required for GENERAL_WITHHOLDING, with the number of the agreement',
    required: true,
    holds: (value: RuleContent | undefined, content) => content['product_code'] !== 'GENERAL_WITHHOLDING' || isText(64)(value?.['agreement_no']),
    code: 'INVALID_PARAMETER',
    source: PAGES.pay,
  },
  {
    calls: ['alipay.trade.refund'],
    field: 'refund_amount',
    rule: 'required; yuan with two decimals, at least 0.01',
    required: true,
    holds: isAmount(0.01, 100_000_000),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradeRefundModel.java`,
  },
  {
    calls: ['alipay.trade.refund', 'alipay.trade.fastpay.refund.query'],
    field: 'out_request_no',
    rule: 'required for a refund in parts and for its query; at most 64',
    required: true,
    holds: isText(64),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayTradeRefundModel.java`,
  },
  {
    calls: ['alipay.trade.refund'],
    field: 'refund_reason',
    rule: 'at most 256 characters',
    holds: isText(256),
    code: 'INVALID_PARAMETER',
    source: PAGES.refund,
  },
  {
    calls: AGREEMENTS,
    field: 'external_agreement_no',
    rule: 'letters and digits, at most 32',
    holds: matches(/^[0-9A-Za-z]{1,32}$/),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayUserAgreementPageSignModel.java`,
  },
  {
    calls: AGREEMENTS,
    field: 'sign_scene',
    rule: 'not empty and not DEFAULT|DEFAULT beside external_agreement_no; at most 64',
    required: true,
    holds: (scene, content) => content['external_agreement_no'] === undefined || (isText(64)(scene) && scene !== 'DEFAULT|DEFAULT'),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayUserAgreementUnsignModel.java`,
  },
  {
    calls: AGREEMENTS,
    field: 'personal_product_code',
    rule: 'required; at most 64',
    required: true,
    holds: isText(64),
    code: 'INVALID_PARAMETER',
    source: PAGES.sign,
  },
  {
    calls: ['alipay.user.agreement.page.sign'],
    field: 'access_params',
    rule: 'required; ALIPAYAPP, QRCODE or QRCODEORSMS',
    required: true,
    holds: (access: RuleContent | undefined) => /^(ALIPAYAPP|QRCODE|QRCODEORSMS)$/.test(String(access?.['channel'])),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AccessParams.java`,
  },
  {
    calls: ['alipay.user.agreement.page.sign'],
    field: 'period_rule_params',
    rule: 'required for CYCLE_PAY_AUTH_P: DAY from 7 or MONTH, a whole period, the first day, the largest single amount',
    required: true,
    holds: (rule: RuleContent | undefined, content) => content['personal_product_code'] !== 'CYCLE_PAY_AUTH_P' || isPeriodRule(rule),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/PeriodRuleParams.java`,
  },
  {
    calls: TRANSFERS,
    field: 'out_biz_no',
    rule: 'required for a transfer; at most 64',
    required: true,
    holds: isText(64),
    code: 'INVALID_PARAMETER',
    source: PAGES.transfer,
  },
  {
    calls: TRANSFERS,
    field: 'product_code',
    rule: 'TRANS_ACCOUNT_NO_PWD to an account',
    required: true,
    holds: (code) => code === 'TRANS_ACCOUNT_NO_PWD',
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayFundTransUniTransferModel.java`,
  },
  {
    calls: TRANSFERS,
    field: 'biz_scene',
    rule: 'DIRECT_TRANSFER',
    required: true,
    holds: (scene) => scene === 'DIRECT_TRANSFER',
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayFundTransUniTransferModel.java`,
  },
  {
    calls: TRANSFER,
    field: 'trans_amount',
    rule: 'required; yuan with two decimals, 0.10 to 100000000',
    required: true,
    holds: isAmount(ALIPAY_FIGURES.transferLeastFen.value / 100, 100_000_000),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/AlipayFundTransUniTransferModel.java`,
  },
  { calls: TRANSFER, field: 'order_title', rule: 'at most 128 characters', holds: isText(128), code: 'INVALID_PARAMETER', source: PAGES.transfer },
  {
    calls: TRANSFER,
    field: 'payee_info',
    rule: 'required; with ALIPAY_LOGON_ID also the name; cert_type and cert_no together',
    required: true,
    holds: (payee: RuleContent | undefined) => isPayee(payee),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/Participant.java`,
  },
  {
    calls: [`${FACE}.initialize`],
    field: 'outer_order_no',
    rule: 'required; letters and digits, at most 32',
    required: true,
    holds: matches(/^[0-9A-Za-z]{1,32}$/),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/DatadigitalFincloudGeneralsaasFaceCertifyInitializeModel.java`,
  },
  {
    calls: [`${FACE}.initialize`],
    field: 'identity_param',
    rule: 'required; CERT_INFO, IDENTITY_CARD, name and number',
    required: true,
    holds: (who: RuleContent | undefined) =>
      who?.['identity_type'] === 'CERT_INFO' &&
      who['cert_type'] === 'IDENTITY_CARD' &&
      isText(64)(who['cert_name']) &&
      matches(/^\d{17}[\dX]$/)(who['cert_no']),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/DatadigitalFincloudGeneralsaasFaceCertifyInitializeModel.java`,
  },
  {
    calls: [`${FACE}.initialize`],
    field: 'merchant_config',
    rule: 'required; with the address to return to; face_reserve_strategy is reserve or never',
    required: true,
    holds: (config: RuleContent | undefined) =>
      matches(/^https?:\/\//)(config?.['return_url']) && /^(reserve|never)$/.test(String(config!['face_reserve_strategy'] ?? 'reserve')),
    code: 'INVALID_PARAMETER',
    source: `${SDK}/DatadigitalFincloudGeneralsaasFaceCertifyInitializeModel.java`,
  },
  {
    calls: ['alipay.data.dataservice.bill.downloadurl.query'],
    field: 'bill_date',
    rule: 'required; yyyy-MM-dd of a past day, or yyyy-MM',
    required: true,
    holds: (day) => matches(/^\d{4}-\d\d(-\d\d)?$/)(day),
    code: 'INVALID_PARAMETER',
    source: PAGES.bill,
  },
]

function isPeriodRule(rule: RuleContent | undefined): boolean {
  if (!rule || !matches(/^\d{4}-\d\d-\d\d$/)(rule['execute_time']) || !isAmount(0.01, 100_000_000)(rule['single_amount'])) return false
  const period = Number(rule['period'])
  if (!Number.isInteger(period)) return false
  // Months need a day that every month has.
  if (rule['period_type'] === 'MONTH') return period >= 1 && Number(String(rule['execute_time']).slice(8)) <= 28
  return rule['period_type'] === 'DAY' && period >= ALIPAY_FIGURES.agreementLeastDays.value
}

function isPayee(payee: RuleContent | undefined): boolean {
  if (!payee || !isText(64)(payee['identity'])) return false
  if ((payee['cert_type'] === undefined) !== (payee['cert_no'] === undefined)) return false
  if (payee['cert_type'] !== undefined && !/^(IDENTITY_CARD|PASSPORT)$/.test(String(payee['cert_type']))) return false
  if (payee['identity_type'] === 'ALIPAY_LOGON_ID') return isText(128)(payee['name'])
  return payee['identity_type'] === 'ALIPAY_USER_ID' || payee['identity_type'] === 'ALIPAY_OPEN_ID'
}
