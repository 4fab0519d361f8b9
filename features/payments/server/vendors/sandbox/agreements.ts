import { PAY_METHODS } from '../port.ts'
import type { Agreements } from '../port.ts'
import { send } from './client.ts'
import { agreementReply, agreeReply, chargeReply, revokeReply } from './wire.ts'

const often = { everyDays: 0, noticeMinutes: 0 }

/** Our side of the sandbox's agreements: a twin for cards, with the rules of Stripe, and one for Alipay. */
export const agreements: Agreements = {
  methods: [
    { transactionType: PAY_METHODS.card.id, ...often, hongKong: true },
    { transactionType: PAY_METHODS.alipay.id, ...often, hongKong: false, mostMinor: 200_000n },
  ],
  sign: async (tools, call) => {
    const { token } = agreeReply.parse(
      await send(tools, 'agree', {
        agreementNo: call.agreementNo,
        transactionType: call.transactionType,
        lang: call.lang,
        notifyUrl: call.notifyUrl,
        returnUrl: call.returnUrl,
        expiresAt: call.expiresAt.toISOString(),
      }),
    )
    return {
      kind: 'opened',
      payUrl: `${URL.parse(call.returnUrl)?.origin ?? tools.publicUrl()}/sandbox/agree/${token}`,
      expiresAt: call.expiresAt,
      secret: token,
    }
  },
  lookUp: async (tools, { agreementNo }) => {
    const reply = agreementReply.parse(await send(tools, 'agreement', { agreementNo }))
    if (reply.code === 'NOT_FOUND') return { status: 'not_found' }
    if (reply.state === 'active') return { status: 'active', secret: reply.token, label: reply.label }
    return { status: reply.state === 'open' ? 'open' : 'ended' }
  },
  charge: async (tools, call) => {
    const reply = chargeReply.parse(
      await send(tools, 'charge', {
        agreementNo: call.agreement.agreementNo,
        tradeNo: call.tradeNo,
        minor: call.payMinor.toString(),
        currency: call.currency,
        orderAmount: call.orderAmount,
        subject: call.subject,
        notifyUrl: call.notifyUrl,
        expiresAt: call.expiresAt.toISOString(),
      }),
    )
    return reply.code === 'OK' ? { kind: 'taken' } : { kind: 'refused', refusal: reply.refusal, reason: `sandbox: ${reply.refusal}` }
  },
  revoke: async (tools, { agreementNo }) => {
    revokeReply.parse(await send(tools, 'revoke', { agreementNo }))
  },
}
