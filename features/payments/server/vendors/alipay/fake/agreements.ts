import type { SentWebhook } from '#stand-ins/kit/webhooks.ts'
import { randomUUID } from 'node:crypto'
import type { FakeAgreements } from '../../../testing/fake-channel.ts'
import { APP_ID, SELLER_ID } from './keys.ts'

type Fields = Record<string, string>
type Content = Record<string, any>
interface Agreement {
  readonly number: string
  readonly id: string
  readonly notifyUrl: string
  readonly scene: string
  state: 'open' | 'active' | 'ended'
}
interface FakeAlipayHost {
  readonly clock: () => string
  readonly queue: (url: string, make: () => SentWebhook) => void
  readonly sent: (fields: Fields) => SentWebhook
  readonly ours: (number: string) => string
  /** Creates a trade that is paid or waits; a string is an error code. */
  readonly trade: (fields: Fields, content: Content, paid: boolean) => Record<string, unknown> | string
  readonly known: (outTradeNo: string) => boolean
}

/** Deductions under agreements (商家扣款), as far as we use them. */
export function createFakeWithholdings({ clock, queue, sent, ours, trade, known }: FakeAlipayHost) {
  const agreements = new Map<string, Agreement>()
  let outcome: Parameters<FakeAgreements['charges']>[0] = 'paid'
  const byNo = (agreementNo: string) => [...agreements.values()].find(({ number }) => ours(number) === agreementNo)!
  const noticeOf = (row: Agreement): Fields => ({
    notify_time: clock(),
    notify_type: row.state === 'active' ? 'dut_user_sign' : 'dut_user_unsign',
    notify_id: randomUUID().replaceAll('-', ''),
    charset: 'utf-8',
    version: '1.0',
    app_id: APP_ID,
    auth_app_id: APP_ID,
    partner_id: SELLER_ID,
    agreement_no: row.id,
    external_agreement_no: row.number,
    personal_product_code: 'CYCLE_PAY_AUTH_P',
    sign_scene: row.scene,
    alipay_user_id: '2088101122675263',
    status: row.state === 'active' ? 'NORMAL' : 'UNSIGN',
  })
  const tell = (row: Agreement) => queue(row.notifyUrl, () => sent(noticeOf(row)))

  function found(content: Content): Agreement | undefined {
    const row = agreements.get(content['external_agreement_no'])
    return row?.scene === content['sign_scene'] ? row : undefined
  }

  const fake: FakeAgreements = {
    all: () => [...agreements.values()].map(({ number, state }) => ({ agreementNo: ours(number), state })),
    agree: (agreementNo, { silent = false } = {}) => {
      const row = byNo(agreementNo)
      row.state = 'active'
      if (!silent) tell(row)
    },
    end: (agreementNo, { silent = false } = {}) => {
      const row = byNo(agreementNo)
      row.state = 'ended'
      if (!silent) tell(row)
    },
    charges: (next) => {
      outcome = next
    },
    notice: (agreementNo) => sent(noticeOf(byNo(agreementNo))),
  }

  return {
    ...fake,
    /** Opens the page in the payer's browser; false for a request that Alipay would refuse. */
    page(fields: Fields, content: Content): boolean {
      const rule = content['period_rule_params']
      const isWhole =
        content['product_code'] === 'GENERAL_WITHHOLDING' &&
        content['personal_product_code'] === 'CYCLE_PAY_AUTH_P' &&
        ['ALIPAYAPP', 'QRCODE'].includes(content['access_params']?.channel) &&
        /^\w{1,32}$/.test(content['external_agreement_no']) &&
        rule?.period_type === 'DAY' &&
        Number(rule.period) >= 7 &&
        /^\d+\.\d\d$/.test(rule.single_amount) &&
        /^\d{4}-\d\d-\d\d$/.test(rule.execute_time)
      if (!isWhole) return false
      const number = content['external_agreement_no'] as string
      if (!agreements.has(number))
        agreements.set(number, {
          number,
          id: `2026${randomUUID().replaceAll(/\D/g, '').padEnd(16, '0').slice(0, 16)}`,
          notifyUrl: fields['notify_url']!,
          scene: content['sign_scene'],
          state: 'open',
        })
      return true
    },
    /** Undefined for methods unrelated to agreements. */
    answer(method: string, fields: Fields, content: Content): Record<string, unknown> | string | undefined {
      if (method === 'alipay.user.agreement.query') {
        const row = found(content)
        if (row?.state !== 'active') return 'USER_AGREEMENT_NOT_EXIST'
        return { agreement_no: row.id, external_agreement_no: row.number, status: 'NORMAL', alipay_logon_id: 'min***@example.com', sign_scene: row.scene }
      }
      if (method === 'alipay.user.agreement.unsign') {
        const row = found(content)
        if (row?.state !== 'active') return 'USER_AGREEMENT_NOT_EXIST'
        row.state = 'ended'
        tell(row)
        return {}
      }
      if (method !== 'alipay.trade.pay') return undefined
      if (known(content['out_trade_no'])) return 'ACQ.TRADE_HAS_SUCCESS'
      const row = [...agreements.values()].find(({ id }) => id === content['agreement_params']?.agreement_no)
      if (row?.state !== 'active') return 'ACQ.AGREEMENT_NOT_EXIST'
      if (outcome === 'declined') return 'ACQ.BUYER_BALANCE_NOT_ENOUGH'
      if (outcome === 'authentication') return 'ACQ.PAYMENT_REQUEST_HAS_RISK'
      return trade(fields, content, outcome === 'paid')
    },
  }
}
