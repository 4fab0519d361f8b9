import { z } from 'zod'
import { minorText } from '#platform/shared/money.ts'
import { shanghaiDay, shanghaiTime } from '#platform/shared/time.ts'
import type { AgreedMethod, AgreementFact, AgreementRef, ChannelTools, ChargeCall, Charged, Refusal, SignCall, Signing } from '../port.ts'
import { ask, ourNumber, theirNumber } from './client.ts'
import type { Account, Withholding } from './config.ts'
import { close } from './trades.ts'

const PRODUCT = 'GENERAL_WITHHOLDING'
const ALIPAY = 1
const GONE = /(^|\.)(USER_AGREEMENT_NOT_EXIST|AGREEMENT_NOT_EXIST|AGREEMENT_INVALID|AGREEMENT_ERROR|AGREEMENT_STATUS_NOT_NORMAL)$/
/** Errors that leave the outcome open: a trade may exist under this number, so it is queried instead of refused. */
const DOUBTFUL = new Set(['ACQ.TRADE_HAS_SUCCESS', 'ACQ.CONTEXT_INCONSISTENT', 'ACQ.TRADE_HAS_CLOSE'])

/** Deductions under the contract 商家扣款: of a periodic product at most one in a period, and none above the contract's single amount. */
export const agreedMethods = ({ withholding }: Account): readonly AgreedMethod[] =>
  withholding
    ? [
        {
          transactionType: ALIPAY,
          everyDays: withholding.days ?? 0,
          noticeMinutes: withholding.noticeMinutes,
          hongKong: false,
          ...(withholding.mostMinor === undefined ? {} : { mostMinor: withholding.mostMinor }),
        },
      ]
    : []

const names = (withholding: Withholding, agreementNo: string) => ({
  personalProductCode: withholding.product,
  signScene: withholding.scene,
  externalAgreementNo: theirNumber(agreementNo),
})

/** Nothing is sent: the payer's browser carries the signed request. https://opendocs.alipay.com/open/8bccfa0b_alipay.user.agreement.page.sign */
export function sign(account: Account, tools: ChannelTools, call: SignCall): Signing {
  const { withholding } = account
  if (!withholding) return { kind: 'refused', reason: 'not_contracted' }
  const single = withholding.mostMinor ?? call.mostMinor
  const payUrl = account.sdks[0].pageExecute('alipay.user.agreement.page.sign', 'GET', {
    bizContent: {
      ...names(withholding, call.agreementNo),
      productCode: PRODUCT,
      accessParams: { channel: call.isPhone ? 'ALIPAYAPP' : 'QRCODE' },
      ...(withholding.days
        ? { periodRuleParams: { periodType: 'DAY', period: withholding.days, executeTime: shanghaiDay(tools.now()), singleAmount: minorText(single) } }
        : {}),
    },
    notifyUrl: call.notifyUrl,
    returnUrl: call.returnUrl,
    timestamp: shanghaiTime(tools.now()),
  })
  return { kind: 'opened', payUrl, expiresAt: call.expiresAt, secret: '' }
}

const found = z.object({
  agreement_no: z.string().min(1),
  external_agreement_no: z.string(),
  status: z.enum(['TEMP', 'NORMAL', 'STOP']),
  alipay_logon_id: z.string().optional(),
})

export async function lookUp(account: Account, tools: ChannelTools, { agreementNo, secret }: AgreementRef): Promise<AgreementFact> {
  const { withholding } = account
  if (!withholding) throw new Error('Alipay is not set up for agreements')
  const answer = await ask(account, tools, 'alipay.user.agreement.query', names(withholding, agreementNo))
  if (!answer.ok) {
    // Before it was signed there is none; once it was, it is over.
    if (GONE.test(answer.code)) return { status: secret ? 'ended' : 'not_found' }
    throw new Error(`Alipay could not be asked: ${answer.code}`)
  }
  const agreement = found.parse(answer.data)
  if (ourNumber(agreement.external_agreement_no) !== agreementNo) throw new Error('Alipay answered about another agreement')
  if (agreement.status !== 'NORMAL') return { status: agreement.status === 'TEMP' ? 'open' : 'ended' }
  const who = agreement.alipay_logon_id ?? ''
  return { status: 'active', secret: agreement.agreement_no, label: who.includes('*') ? who : '' }
}

/** https://opendocs.alipay.com/open/02ekfg: the trade's number makes a deduction happen once. */
export async function charge(account: Account, tools: ChannelTools, call: ChargeCall): Promise<Charged> {
  const most = account.withholding?.mostMinor
  if (most !== undefined && call.payMinor > most) return { kind: 'refused', refusal: 'declined', reason: 'above_the_single_amount' }
  const answer = await ask(
    account,
    tools,
    'alipay.trade.pay',
    {
      outTradeNo: theirNumber(call.tradeNo),
      totalAmount: minorText(call.payMinor),
      subject: call.subject,
      productCode: PRODUCT,
      sellerId: account.sellerId,
      timeExpire: shanghaiTime(call.expiresAt),
      agreementParams: { agreementNo: call.agreement.secret },
    },
    call.notifyUrl,
  )
  if (answer.ok) return { kind: 'taken' }
  if (DOUBTFUL.has(answer.code)) throw new Error(`Alipay is not sure about the deduction: ${answer.code}`)
  // A trade may have been made before it was refused: it is closed, or the charge stays in doubt.
  const state = await close(account, tools, { tradeNo: call.tradeNo, openedAt: tools.now() })
  if (state === 'paid') return { kind: 'taken' }
  return { kind: 'refused', refusal: refusalOf(answer.code), reason: answer.code }
}

const refusalOf = (code: string): Refusal => (GONE.test(code) ? 'ended' : /NEED_VERIFY|PAYMENT_REQUEST_HAS_RISK/.test(code) ? 'authentication' : 'declined')

export async function revoke(account: Account, tools: ChannelTools, { agreementNo }: AgreementRef): Promise<void> {
  const { withholding } = account
  if (!withholding) throw new Error('Alipay is not set up for agreements')
  const answer = await ask(account, tools, 'alipay.user.agreement.unsign', names(withholding, agreementNo))
  if (!answer.ok && !GONE.test(answer.code)) throw new Error(`Alipay did not end the agreement: ${answer.code}`)
}
