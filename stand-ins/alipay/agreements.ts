import { randomUUID } from 'node:crypto'
import type { AgreementControls } from '../kit/payments.ts'
import type { SentWebhook } from '../kit/webhooks.ts'
import { APP_ID, SELLER_ID } from './keys.ts'

type Fields = Readonly<Record<string, string>>
type Content = Record<string, any>
interface Agreement {
  readonly number: string
  readonly id: string
  readonly notifyUrl: string
  readonly scene: string
  readonly product: string
  signedAt: string
  state: 'open' | 'active' | 'ended'
}
interface AlipayHost {
  readonly clock: () => string
  readonly tell: (url: string, fields: Fields) => void
  readonly sign: (fields: Fields) => SentWebhook
  readonly ours: (number: string) => string
  /** Creates a trade that is paid or waits; a string is an error code. */
  readonly trade: (fields: Fields, content: Content, paid: boolean) => Record<string, unknown> | string
  readonly known: (outTradeNo: string) => boolean
}

/** Deductions under agreements (商家扣款). */
export function createAlipayAgreements({ clock, tell, sign, ours, trade, known }: AlipayHost) {
  const agreements = new Map<string, Agreement>()
  let outcome: Parameters<AgreementControls['charges']>[0] = 'paid'
  const byNo = (agreementNo: string) => [...agreements.values()].find(({ number }) => ours(number) === agreementNo)!
  const noticeOf = (row: Agreement): Fields => ({
    notify_time: clock(),
    notify_type: row.state === 'active' ? 'dut_user_sign' : 'dut_user_unsign',
    notify_id: `2026${randomUUID().replaceAll('-', '')}`,
    charset: 'utf-8',
    version: '1.0',
    app_id: APP_ID,
    auth_app_id: APP_ID,
    partner_id: SELLER_ID,
    agreement_no: row.id,
    external_agreement_no: row.number,
    personal_product_code: row.product,
    sign_scene: row.scene,
    alipay_user_id: '2088101122675263',
    status: row.state === 'active' ? 'NORMAL' : 'UNSIGN',
    ...(row.state === 'active' ? { sign_time: row.signedAt, valid_time: row.signedAt, invalid_time: '2115-02-01 00:00:00' } : { unsign_time: clock() }),
  })
  const report = (row: Agreement) => tell(row.notifyUrl, noticeOf(row))

  function found(content: Content): Agreement | undefined {
    const row = agreements.get(content['external_agreement_no'])
    return row?.scene === content['sign_scene'] ? row : undefined
  }

  const fake: AgreementControls = {
    all: () => [...agreements.values()].map(({ number, state }) => ({ agreementNo: ours(number), state })),
    agree: (agreementNo, { silent = false } = {}) => {
      const row = byNo(agreementNo)
      row.state = 'active'
      row.signedAt = clock()
      if (!silent) report(row)
    },
    end: (agreementNo, { silent = false } = {}) => {
      const row = byNo(agreementNo)
      row.state = 'ended'
      if (!silent) report(row)
    },
    charges: (next) => {
      outcome = next
    },
    notice: (agreementNo) => sign(noticeOf(byNo(agreementNo))),
  }

  return {
    ...fake,
    /** Opens the page in the payer's browser; a text is a refusal. */
    page(fields: Fields, content: Content): string | undefined {
      if (content['product_code'] !== 'GENERAL_WITHHOLDING') return 'PRODUCT_CODE_NOT_SUPPORT'
      const number = content['external_agreement_no'] as string
      if (!agreements.has(number))
        agreements.set(number, {
          number,
          id: `2026${randomUUID().replaceAll(/\D/g, '').padEnd(16, '0').slice(0, 16)}`,
          notifyUrl: fields['notify_url']!,
          scene: content['sign_scene'],
          product: content['personal_product_code'],
          signedAt: clock(),
          state: 'open',
        })
      return undefined
    },
    /** Undefined for methods unrelated to agreements. */
    answer(method: string, fields: Fields, content: Content): Record<string, unknown> | string | undefined {
      if (method === 'alipay.user.agreement.query') {
        const row = found(content)
        if (row?.state !== 'active') return 'USER_AGREEMENT_NOT_EXIST'
        return {
          agreement_no: row.id,
          external_agreement_no: row.number,
          status: 'NORMAL',
          alipay_logon_id: 'min***@example.com',
          personal_product_code: row.product,
          sign_scene: row.scene,
          sign_time: row.signedAt,
          valid_time: row.signedAt,
          invalid_time: '2115-02-01 00:00:00',
          principal_type: 'CARD',
          principal_id: '2088101122675263',
        }
      }
      if (method === 'alipay.user.agreement.unsign') {
        const row = found(content)
        if (row?.state !== 'active') return 'USER_AGREEMENT_NOT_EXIST'
        row.state = 'ended'
        report(row)
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
