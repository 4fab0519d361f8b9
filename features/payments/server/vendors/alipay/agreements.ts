import { z } from 'zod'
import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { PAY_METHODS } from '../port.ts'
import type { AgreedMethod, AgreementFact, AgreementRef, ChannelTools, ChargeCall, ChargeOutcome, ChargeRefusal, SignCall, Signing } from '../port.ts'
import { callAlipayGateway, fromAlipayAgreementNo, toAlipayAgreementNo, toAlipaySubject, toAlipayTradeNo } from './client.ts'
import type { AlipayAccount, Withholding } from './config.ts'
import { closeAlipayTrade } from './trades.ts'

const PRODUCT = 'GENERAL_WITHHOLDING'
const ENDED_CODES = /(^|\.)(USER_AGREEMENT_NOT_EXIST|AGREEMENT_NOT_EXIST|AGREEMENT_INVALID|AGREEMENT_ERROR|AGREEMENT_STATUS_NOT_NORMAL)$/
/** Errors that leave the outcome open: a trade may exist under this number, so it is queried instead of refused. */
const DOUBTFUL = new Set(['ACQ.TRADE_HAS_SUCCESS', 'ACQ.CONTEXT_INCONSISTENT', 'ACQ.TRADE_HAS_CLOSE'])

/** Deductions under the contract 商家扣款: for a periodic product at most one per period, and none above the contract's single amount. */
export const listAlipayAgreedMethods = ({ withholding }: AlipayAccount): readonly AgreedMethod[] =>
  withholding
    ? [
        {
          transactionType: PAY_METHODS.alipay.id,
          everyDays: withholding.days ?? 0,
          noticeMinutes: withholding.noticeMinutes,
          hongKong: false,
          ...(withholding.mostMinor === undefined ? {} : { mostMinor: withholding.mostMinor }),
        },
      ]
    : []

const toAgreementNames = (withholding: Withholding, agreementNo: string) => ({
  personalProductCode: withholding.product,
  signScene: withholding.scene,
  externalAgreementNo: toAlipayAgreementNo(agreementNo),
})

/**
 * No request is sent: the payer's browser carries the signed request.
 * https://opendocs.alipay.com/open/8bccfa0b_alipay.user.agreement.page.sign
 */
export function signAlipayAgreement(account: AlipayAccount, tools: ChannelTools, call: SignCall): Signing {
  const { withholding } = account
  if (!withholding) return { kind: 'refused', reason: 'not_contracted' }
  const single = withholding.mostMinor ?? call.mostMinor
  const payUrl = account.sdks[0].pageExecute('alipay.user.agreement.page.sign', 'GET', {
    bizContent: {
      ...toAgreementNames(withholding, call.agreementNo),
      productCode: PRODUCT,
      accessParams: { channel: call.isPhone ? 'ALIPAYAPP' : 'QRCODE' },
      ...(withholding.days
        ? { periodRuleParams: { periodType: 'DAY', period: withholding.days, executeTime: toShanghaiDay(tools.now()), singleAmount: formatMinor(single) } }
        : {}),
    },
    notifyUrl: call.notifyUrl,
    returnUrl: call.returnUrl,
    timestamp: toShanghaiTime(tools.now()),
  })
  return { kind: 'opened', payUrl, expiresAt: call.expiresAt, secret: '' }
}

const foundAgreement = z.object({
  agreement_no: z.string().min(1),
  external_agreement_no: z.string(),
  status: z.enum(['TEMP', 'NORMAL', 'STOP']),
  alipay_logon_id: z.string().optional(),
})

export async function queryAlipayAgreement(account: AlipayAccount, tools: ChannelTools, { agreementNo, secret }: AgreementRef): Promise<AgreementFact> {
  const { withholding } = account
  if (!withholding) throw new Error('Alipay is not set up for agreements')
  const answer = await callAlipayGateway(account, tools, { method: 'alipay.user.agreement.query', bizContent: toAgreementNames(withholding, agreementNo) })
  if (!answer.ok) {
    // Before the signature no agreement exists; after it, the agreement is over.
    if (ENDED_CODES.test(answer.code)) return { status: secret ? 'ended' : 'not_found' }
    throw new Error(`Alipay could not be asked: ${answer.code}`)
  }
  const agreement = foundAgreement.parse(answer.data)
  if (fromAlipayAgreementNo(agreement.external_agreement_no) !== agreementNo) throw new Error('Alipay answered about another agreement')
  if (agreement.status !== 'NORMAL') return { status: agreement.status === 'TEMP' ? 'open' : 'ended' }
  const who = agreement.alipay_logon_id ?? ''
  return { status: 'active', secret: agreement.agreement_no, label: who.includes('*') ? who : '' }
}

/** https://opendocs.alipay.com/open/02ekfg: the trade number makes a deduction idempotent. */
export async function chargeAlipayAgreement(account: AlipayAccount, tools: ChannelTools, call: ChargeCall): Promise<ChargeOutcome> {
  const most = account.withholding?.mostMinor
  if (most !== undefined && call.payMinor > most) return { kind: 'refused', refusal: 'declined', reason: 'above_the_single_amount' }
  const answer = await callAlipayGateway(account, tools, {
    method: 'alipay.trade.pay',
    bizContent: {
      outTradeNo: toAlipayTradeNo(call.tradeNo),
      totalAmount: formatMinor(call.payMinor),
      subject: toAlipaySubject(call.subject),
      productCode: PRODUCT,
      sellerId: account.sellerId,
      timeExpire: toShanghaiTime(call.expiresAt),
      agreementParams: { agreementNo: call.agreement.secret },
    },
    notifyUrl: call.notifyUrl,
  })
  if (answer.ok) return { kind: 'taken' }
  if (DOUBTFUL.has(answer.code)) throw new Error(`Alipay is not sure about the deduction: ${answer.code}`)
  // A trade may exist despite the refusal: it is closed, or the charge stays unknown.
  const state = await closeAlipayTrade(account, tools, { tradeNo: call.tradeNo, openedAt: tools.now() })
  if (state === 'paid') return { kind: 'taken' }
  return { kind: 'refused', refusal: toRefusal(answer.code), reason: answer.code }
}

const toRefusal = (code: string): ChargeRefusal =>
  ENDED_CODES.test(code) ? 'ended' : /NEED_VERIFY|PAYMENT_REQUEST_HAS_RISK/.test(code) ? 'authentication' : 'declined'

export async function revokeAlipayAgreement(account: AlipayAccount, tools: ChannelTools, { agreementNo }: AgreementRef): Promise<void> {
  const { withholding } = account
  if (!withholding) throw new Error('Alipay is not set up for agreements')
  const answer = await callAlipayGateway(account, tools, { method: 'alipay.user.agreement.unsign', bizContent: toAgreementNames(withholding, agreementNo) })
  if (!answer.ok && !ENDED_CODES.test(answer.code)) throw new Error(`Alipay did not end the agreement: ${answer.code}`)
}
