import { createHash, randomUUID } from 'node:crypto'
import { findBrokenRule, findEmptyText } from '../kit/field-rules.ts'
import type { RuleContent } from '../kit/field-rules.ts'
import type { BookedRefund, PaymentCompany } from '../kit/payments.ts'
import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { createWebhookQueue } from '../kit/webhooks.ts'
import { buildWechatPayBill } from './book.ts'
import type { StoredWechatPayBook, StoredWechatPayRefund, StoredWechatPayTrade } from './book.ts'
import { forgeWechatPayNotices, buildWechatPayVectors } from './forgeries.ts'
import {
  APPID,
  buildWechatPayNotice,
  createNoticeId,
  createWechatPayKeys,
  formatWechatPayTime,
  MCHID,
  MERCHANT_SERIAL,
  buildWechatPayWebhook,
  buildWechatPayReply,
  refuseWechatPayHeaders,
  sealWechatPayResource,
} from './keys.ts'
import type { Signer, StoredWechatPayNotice } from './keys.ts'
import { createWechatPayOracle } from './oracle.ts'
import { WECHAT_PAY_FIGURES, WECHAT_PAY_NOTICE_SCHEDULE, WECHAT_PAY_RULES } from './rules.ts'

const PAYER = 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o'
const STATE_WORDS = { NOTPAY: '订单未支付', SUCCESS: '支付成功', REFUND: '订单发生过退款', CLOSED: '订单已关闭', PAYERROR: '支付失败' } as const
const STATES = { SUCCESS: 'succeeded', PROCESSING: 'pending', ABNORMAL: 'stuck', CLOSED: 'failed' } as const

/** WeChat Pay, API v3: orders by code and on a phone, refunds, bills, certificates, notices. */
export async function startWechatPay({ now, mode = 'public-key' }: { now: () => Date; mode?: 'public-key' | 'certificate' }): Promise<PaymentCompany> {
  const keys = createWechatPayKeys(mode, now())
  const book: StoredWechatPayBook = { trades: new Map(), refunds: new Map() }
  let signer = keys.signers[0]
  let apiV3Key = keys.apiV3Keys[0]
  let slow = false
  const mails = createWebhookQueue(now, WECHAT_PAY_NOTICE_SCHEDULE.value, ({ status }) => status === 200 || status === 204)
  const oracle = createWechatPayOracle()
  const http = await startStandInServer((request) => handle(request), { oracle })
  const bare = keys.signers.map(({ serial, publicKey }) => `${serial}=${(publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')}`)
  const privateKey = keys.merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

  const factOf = (trade: StoredWechatPayTrade): Record<string, unknown> => ({
    appid: APPID,
    mchid: MCHID,
    out_trade_no: trade.tradeNo,
    trade_state: trade.state,
    trade_state_desc: STATE_WORDS[trade.state],
    amount: {
      total: Number(trade.paid?.minor ?? trade.total),
      currency: trade.paid?.currency ?? 'CNY',
      payer_currency: trade.paid?.currency ?? 'CNY',
      ...(trade.paid ? { payer_total: Number(trade.paid.minor) } : {}),
    },
    ...(trade.paid
      ? {
          transaction_id: trade.paid.txn,
          trade_type: trade.kind === 'h5' ? 'MWEB' : 'NATIVE',
          bank_type: 'OTHERS',
          success_time: formatWechatPayTime(trade.paid.at),
          payer: { openid: PAYER },
        }
      : {}),
  })
  const refundFact = (refund: StoredWechatPayRefund) => {
    const { total, paid } = book.trades.get(refund.tradeNo)!
    return {
      refund_id: refund.refundId,
      out_refund_no: refund.refundNo,
      transaction_id: paid!.txn,
      out_trade_no: refund.tradeNo,
      channel: 'ORIGINAL',
      user_received_account: '支付用户零钱',
      ...(refund.status === 'SUCCESS' ? { success_time: formatWechatPayTime(refund.at) } : {}),
      create_time: formatWechatPayTime(refund.at),
      status: refund.status,
      funds_account: 'UNSETTLED',
      amount: {
        total,
        refund: refund.minor,
        payer_total: total,
        payer_refund: refund.minor,
        settlement_refund: refund.minor,
        settlement_total: total,
        discount_refund: 0,
        currency: 'CNY',
      },
    }
  }
  const aboutTrade = (tradeNo: string): StoredWechatPayNotice => ({ type: 'TRANSACTION.SUCCESS', plain: factOf(book.trades.get(tradeNo)!) })
  const aboutRefund = (refund: StoredWechatPayRefund): StoredWechatPayNotice => {
    const fact = refundFact(refund)
    return {
      type: `REFUND.${refund.status}`,
      plain: {
        mchid: MCHID,
        out_trade_no: refund.tradeNo,
        transaction_id: fact.transaction_id,
        out_refund_no: refund.refundNo,
        refund_id: refund.refundId,
        refund_status: refund.status,
        ...(refund.status === 'SUCCESS' ? { success_time: formatWechatPayTime(refund.at) } : {}),
        user_received_account: fact.user_received_account,
        amount: { total: fact.amount.total, refund: refund.minor, payer_total: fact.amount.total, payer_refund: refund.minor },
      },
    }
  }
  function write(about: StoredWechatPayNotice) {
    oracle.checkSent('notice', buildWechatPayNotice(apiV3Key, about, now()))
    oracle.checkSent(about.type.startsWith('REFUND.') ? 'refundNotice' : 'paidNotice', about.plain)
    return buildWechatPayWebhook(signer, apiV3Key, about, now())
  }
  /** A retry carries the same notice, sealed and signed again. No notice tells that a refund is in process. */
  const tell = (url: string, about: StoredWechatPayNotice) => {
    const whole = { id: createNoticeId(), ...about }
    if (about.type !== 'REFUND.PROCESSING') mails.queue(url, () => write(whole))
  }

  function handle(request: StandInRequest): StandInReply {
    const refused = refuseWechatPayHeaders(keys, request, now())
    if (refused) return { status: refused[0], headers: { 'content-type': 'application/json' }, body: JSON.stringify(refused[1]) }
    const [status, value] = findBreach(request) ?? route(request)
    if (request.path === '/download') return { status, body: request.fault === 'bad-signature' ? `${value as string} ` : (value as string) }
    const by = chooseSigner(request)
    if (request.fault === 'error-code') return buildWechatPayReply(by, 500, { code: 'SYSTEM_ERROR', message: 'try again' }, now())
    return buildWechatPayReply(by, status, value, now(), request.fault === 'bad-signature')
  }

  /**
   * The key that the request names signs the answer; without a name a certificate does, which a merchant with public keys alone does not
   * have. https://pay.weixin.qq.com/doc/v3/merchant/4012154180
   */
  function chooseSigner({ headers }: StandInRequest): Signer {
    if (mode === 'certificate') return signer
    const named = keys.signers.find(({ serial }) => serial === headers['wechatpay-serial'])
    return named ?? { ...signer, serial: '5'.repeat(40), privateKey: keys.stranger }
  }

  function findBreach({ method, path, body }: StandInRequest): [number, unknown] | undefined {
    if (!body) return undefined
    const content = JSON.parse(body) as RuleContent
    const empty = findEmptyText(content)
    if (empty !== undefined) return [400, { code: 'PARAM_ERROR', message: `${empty}: 0 characters are less than 1` }]
    const call = `${method} ${path.replace(/\/[^/]+\/close$/, '/{out_trade_no}/close')}`
    const broken = findBrokenRule(WECHAT_PAY_RULES, call, content, now())
    return broken && [400, { code: broken.code, message: `${broken.field}: ${broken.rule}` }]
  }

  function route({ method, path, query, body, url }: StandInRequest): [number, unknown] {
    const content = body ? (JSON.parse(body) as RuleContent) : {}
    const open = /^\/v3\/pay\/transactions\/(native|h5)$/.exec(path)?.[1] as StoredWechatPayTrade['kind'] | undefined
    if (method === 'POST' && open) return openTrade(open, content, body)
    const tradeNo = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(path)
    if (tradeNo) {
      const trade = book.trades.get(decodeURIComponent(tradeNo[1]!))
      if (!trade) return [404, { code: 'ORDER_NOT_EXIST', message: 'no such order' }]
      if (!tradeNo[2]) return query.get('mchid') === MCHID ? [200, factOf(trade)] : [400, { code: 'PARAM_ERROR', message: 'mchid is not the merchant' }]
      if (trade.paid) return [400, { code: 'ORDERPAID', message: 'paid' }]
      trade.state = 'CLOSED'
      return [204, undefined]
    }
    if (method === 'POST' && path === '/v3/refund/domestic/refunds') return takeRefund(content)
    if (path.startsWith('/v3/refund/domestic/refunds/')) {
      const refund = book.refunds.get(decodeURIComponent(path.split('/').at(-1)!))
      return refund ? [200, refundFact(refund)] : [404, { code: 'RESOURCE_NOT_EXISTS', message: 'no such refund' }]
    }
    if (path === '/v3/certificates') {
      const entry = ({ serial, certificate }: (typeof keys.signers)[number]) => ({
        serial_no: serial,
        effective_time: formatWechatPayTime(new Date(now().getTime() - 86_400_000)),
        expire_time: formatWechatPayTime(new Date(now().getTime() + 365 * 86_400_000)),
        encrypt_certificate: sealWechatPayResource(apiV3Key, certificate, 'certificate'),
      })
      return [200, { data: keys.signers.map(entry) }]
    }
    if (path === '/v3/merchant/fund/balance/BASIC') return [200, { available_amount: 5_000_01, pending_amount: 100 }]
    if (path === '/v3/bill/tradebill') {
      const bill = buildWechatPayBill(book, query.get('bill_date')!, { appid: APPID, mchid: MCHID })
      if (!bill) return [400, { code: 'NO_STATEMENT_EXIST', message: 'no bill' }]
      const hash = createHash('sha1').update(bill).digest('hex')
      return [200, { hash_type: 'SHA1', hash_value: hash, download_url: `${http.url}/download?day=${query.get('bill_date')}&token=${hash}` }]
    }
    if (path === '/download') return [200, buildWechatPayBill(book, query.get('day')!, { appid: APPID, mchid: MCHID }) ?? '']
    return [404, { code: 'RESOURCE_NOT_EXISTS', message: url }]
  }

  function openTrade(kind: StoredWechatPayTrade['kind'], content: RuleContent, body: string): [number, unknown] {
    const { appid, mchid, out_trade_no: outTradeNo, amount, notify_url: notifyUrl } = content
    if (appid !== APPID || mchid !== MCHID) return [400, { code: 'APPID_MCHID_NOT_MATCH', message: 'appid and mchid do not belong together' }]
    const known = book.trades.get(outTradeNo)
    if (known?.paid) return [400, { code: 'ORDERPAID', message: 'paid' }]
    if (known?.state === 'CLOSED') return [400, { code: 'ORDER_CLOSED', message: 'closed' }]
    if (known && known.content !== body) return [400, { code: 'INVALID_REQUEST', message: 'not the same order as before' }]
    if (!known) book.trades.set(outTradeNo, { tradeNo: outTradeNo, kind, content: body, total: amount.total, notifyUrl, state: 'NOTPAY' })
    else known.state = 'NOTPAY'
    return [
      200,
      kind === 'h5'
        ? { h5_url: `${http.url}/cashier?prepay_id=${outTradeNo}&package=${randomUUID()}` }
        : { code_url: `weixin://wxpay/bizpayurl?pr=${outTradeNo}` },
    ]
  }

  function takeRefund(content: RuleContent): [number, unknown] {
    const { out_trade_no: outTradeNo, out_refund_no: outRefundNo, amount, notify_url: notifyUrl } = content
    const trade = book.trades.get(outTradeNo)
    if (!trade?.paid) return [404, { code: 'RESOURCE_NOT_EXISTS', message: 'no such payment' }]
    const all = [...book.refunds.values()].filter((each) => each.tradeNo === outTradeNo)
    const known = book.refunds.get(outRefundNo)
    if (known)
      return known.minor === amount.refund && known.tradeNo === outTradeNo
        ? [200, refundFact(known)]
        : [400, { code: 'INVALID_REQUEST', message: 'not the same refund' }]
    if (now().getTime() - trade.paid.at.getTime() > WECHAT_PAY_FIGURES.refundDays.value * 86_400_000)
      return [400, { code: 'INVALID_REQUEST', message: 'the order is older than a year' }]
    if (all.length >= WECHAT_PAY_FIGURES.refundsOfOrder.value) return [400, { code: 'INVALID_REQUEST', message: 'an order has at most 50 refunds' }]
    const before = all.filter(({ status }) => status !== 'CLOSED').reduce((sum, { minor }) => sum + minor, 0)
    if (amount.total !== trade.total || before + amount.refund > Number(trade.paid.minor))
      return [400, { code: 'INVALID_REQUEST', message: 'more than is left' }]
    const refund: StoredWechatPayRefund = {
      refundNo: outRefundNo,
      refundId: `5030${randomUUID().replaceAll('-', '').slice(0, 28)}`,
      tradeNo: outTradeNo,
      minor: amount.refund,
      notifyUrl,
      at: now(),
      status: slow ? 'PROCESSING' : 'SUCCESS',
    }
    book.refunds.set(outRefundNo, refund)
    trade.state = 'REFUND'
    tell(notifyUrl, aboutRefund(refund))
    return [200, { ...refundFact({ ...refund, status: 'PROCESSING' }) }]
  }

  return {
    name: 'wechat-pay',
    payer: PAYER,
    env: {
      WECHAT_PAY_MCHID: MCHID,
      WECHAT_PAY_APPID: APPID,
      WECHAT_PAY_SERIAL: MERCHANT_SERIAL,
      WECHAT_PAY_PRIVATE_KEY: privateKey,
      WECHAT_PAY_API_V3_KEY: keys.apiV3Keys.join(','),
      WECHAT_PAY_BASE_URL: http.url,
      ...(mode === 'public-key' ? { WECHAT_PAY_PUBLIC_KEYS: bare.join(',') } : {}),
    },
    http,
    secrets: [...privateKey.split('\n').slice(1, -2), ...keys.apiV3Keys],
    trades: () => [...book.trades.keys()],
    payments: () =>
      [...book.trades.values()].flatMap(({ tradeNo, paid }) => (paid ? [{ tradeNo, txn: paid.txn, minor: paid.minor, currency: paid.currency }] : [])),
    refunds: () =>
      [...book.refunds.values()].map(({ refundNo, tradeNo, minor, status }) => ({
        refundNo,
        txn: book.trades.get(tradeNo)!.paid!.txn,
        minor: BigInt(minor),
        state: STATES[status],
      })),
    arrive: async () => {},
    pay: (tradeNo, { minor, currency = 'CNY', silent = false } = {}) => {
      const trade = book.trades.get(tradeNo)!
      trade.paid ??= { txn: `4200${randomUUID().replaceAll('-', '').slice(0, 24)}`, minor: minor ?? BigInt(trade.total), currency, at: now() }
      trade.state = 'SUCCESS'
      if (!silent) tell(trade.notifyUrl, aboutTrade(tradeNo))
    },
    decline: (tradeNo) => {
      book.trades.get(tradeNo)!.state = 'PAYERROR'
    },
    turnRefund: (refundNo, state) => {
      const refund = book.refunds.get(refundNo)!
      const names: Record<BookedRefund['state'], StoredWechatPayRefund['status']> = {
        pending: 'PROCESSING',
        succeeded: 'SUCCESS',
        stuck: 'ABNORMAL',
        failed: 'CLOSED',
      }
      refund.status = names[state]
      tell(refund.notifyUrl, aboutRefund(refund))
    },
    slowRefunds: (on) => {
      slow = on
    },
    notice: (tradeNo) => write(aboutTrade(tradeNo)),
    deliver: mails.deliver,
    forgeries: (tradeNo, other) => forgeWechatPayNotices({ keys, signer, apiV3Key, now: now() }, aboutTrade(tradeNo), aboutTrade(other)),
    vectors: (tradeNo) => buildWechatPayVectors({ signer, apiV3Key, now: now() }, aboutTrade(tradeNo)),
    rotate: () => {
      signer = keys.signers[1]
      apiV3Key = keys.apiV3Keys[1]
    },
    close: () => http.close(),
  }
}
