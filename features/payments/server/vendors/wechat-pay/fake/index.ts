import { createWebhookQueue } from '#stand-ins/kit/webhooks.ts'
import { createHash, randomUUID } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import type { BookedRefund, FakeChannel } from '../../../testing/fake-channel.ts'
import { buildWechatPayBill } from './book.ts'
import type { FakeWechatPayBook, FakeWechatPayRefund, FakeWechatPayTrade } from './book.ts'
import { forgeWechatPayNotices, buildWechatPayVectors } from './forgeries.ts'
import {
  APPID,
  isFromWechatPayMerchant,
  createWechatPayKeys,
  MCHID,
  MERCHANT_SERIAL,
  buildWechatPayWebhook,
  buildWechatPayReply,
  sealWechatPayResource,
} from './keys.ts'
import type { FakeWechatPayNotice } from './keys.ts'

/** Seconds between retries, as documented by the vendor: 15 of them in a day. */
const SCHEDULE = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600]
const STATES = { SUCCESS: 'succeeded', PROCESSING: 'pending', ABNORMAL: 'stuck', CLOSED: 'failed' } as const

/** Fake of WeChat Pay, API v3, as far as we use it. */
export async function fakeWechatPay({ now, mode = 'public-key' }: { now: () => Date; mode?: 'public-key' | 'certificate' }): Promise<FakeChannel> {
  const keys = createWechatPayKeys(mode, now())
  const book: FakeWechatPayBook = { trades: new Map(), refunds: new Map() }
  let signer = keys.signers[0]
  let apiV3Key = keys.apiV3Keys[0]
  let slow = false
  const mails = createWebhookQueue(now, SCHEDULE, ({ status }) => status === 200 || status === 204)
  const http = await startStandInServer((request) => handle(request))
  const bare = keys.signers.map(({ serial, publicKey }) => `${serial}=${(publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')}`)
  const privateKey = keys.merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

  const factOf = (trade: FakeWechatPayTrade): Record<string, unknown> => ({
    appid: APPID,
    mchid: MCHID,
    out_trade_no: trade.tradeNo,
    trade_state: trade.state,
    trade_state_desc: '',
    ...(trade.paid
      ? {
          transaction_id: trade.paid.txn,
          trade_type: trade.kind === 'h5' ? 'MWEB' : 'NATIVE',
          success_time: trade.paid.at.toISOString(),
          payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
          amount: {
            total: Number(trade.paid.minor),
            payer_total: Number(trade.paid.minor),
            currency: trade.paid.currency,
            payer_currency: trade.paid.currency,
          },
        }
      : {}),
  })
  const refundFact = (refund: FakeWechatPayRefund) => ({
    refund_id: refund.refundId,
    out_refund_no: refund.refundNo,
    transaction_id: book.trades.get(refund.tradeNo)!.paid!.txn,
    out_trade_no: refund.tradeNo,
    channel: 'ORIGINAL',
    status: refund.status,
    create_time: refund.at.toISOString(),
    amount: { total: book.trades.get(refund.tradeNo)!.total, refund: refund.minor, currency: 'CNY' },
  })
  const aboutTrade = (tradeNo: string): FakeWechatPayNotice => ({ type: 'TRANSACTION.SUCCESS', plain: factOf(book.trades.get(tradeNo)!) })
  const aboutRefund = (refund: FakeWechatPayRefund): FakeWechatPayNotice => ({
    type: `REFUND.${refund.status}`,
    plain: { mchid: MCHID, out_trade_no: refund.tradeNo, out_refund_no: refund.refundNo, refund_id: refund.refundId, refund_status: refund.status },
  })
  const made = (about: FakeWechatPayNotice) => buildWechatPayWebhook(keys, signer, apiV3Key, about, now())

  function handle(request: StandInRequest): StandInReply {
    if (!isFromWechatPayMerchant(keys, request, now())) return { status: 401, body: JSON.stringify({ code: 'SIGN_ERROR', message: 'the signature is wrong' }) }
    const [status, value] = route(request)
    if (request.path === '/download') return { status, body: request.fault === 'bad-signature' ? `${value as string} ` : (value as string) }
    if (request.fault === 'error-code') return buildWechatPayReply(signer, 500, { code: 'SYSTEM_ERROR', message: 'try again' }, now())
    return buildWechatPayReply(signer, status, value, now(), request.fault === 'bad-signature')
  }

  function route({ method, path, query, body, url }: StandInRequest): [number, unknown] {
    const content = body ? (JSON.parse(body) as Record<string, any>) : {}
    const open = /^\/v3\/pay\/transactions\/(native|h5)$/.exec(path)?.[1] as FakeWechatPayTrade['kind'] | undefined
    if (method === 'POST' && open) return openTrade(open, content, body)
    const tradeNo = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(path)
    if (tradeNo) {
      const trade = book.trades.get(decodeURIComponent(tradeNo[1]!))
      if (!trade) return [404, { code: 'ORDER_NOT_EXIST', message: 'no such order' }]
      if (!tradeNo[2]) return query.get('mchid') === MCHID ? [200, factOf(trade)] : [400, { code: 'PARAM_ERROR' }]
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

  function openTrade(kind: FakeWechatPayTrade['kind'], content: Record<string, any>, body: string): [number, unknown] {
    const { appid, mchid, out_trade_no: outTradeNo, amount, notify_url: notifyUrl, description, time_expire: timeExpire, scene_info: sceneInfo } = content
    const wellFormed =
      /^[\w*|-]{6,32}$/.test(outTradeNo) &&
      Number.isInteger(amount?.total) &&
      amount.total > 0 &&
      amount.currency === 'CNY' &&
      description &&
      /\+08:00$/.test(timeExpire) &&
      /^https?:/.test(notifyUrl)
    if (!wellFormed || (kind === 'h5' && (!sceneInfo?.payer_client_ip || !sceneInfo?.h5_info?.type)))
      return [400, { code: 'PARAM_ERROR', message: 'a parameter is wrong' }]
    if (appid !== APPID || mchid !== MCHID) return [400, { code: 'APPID_MCHID_NOT_MATCH' }]
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

  function takeRefund(content: Record<string, any>): [number, unknown] {
    const { out_trade_no: outTradeNo, out_refund_no: outRefundNo, amount, notify_url: notifyUrl } = content
    const trade = book.trades.get(outTradeNo)
    if (!trade?.paid) return [404, { code: 'RESOURCE_NOT_EXISTS', message: 'no such payment' }]
    const known = book.refunds.get(outRefundNo)
    if (known)
      return known.minor === amount.refund && known.tradeNo === outTradeNo
        ? [200, refundFact(known)]
        : [400, { code: 'INVALID_REQUEST', message: 'not the same refund' }]
    const before = [...book.refunds.values()]
      .filter((each) => each.tradeNo === outTradeNo && each.status !== 'CLOSED')
      .reduce((sum, each) => sum + each.minor, 0)
    if (!Number.isInteger(amount.refund) || amount.refund <= 0 || amount.total !== trade.total || before + amount.refund > Number(trade.paid.minor))
      return [400, { code: 'INVALID_REQUEST', message: 'more than is left' }]
    const refund: FakeWechatPayRefund = {
      refundNo: outRefundNo,
      refundId: `5030${randomUUID().replaceAll('-', '')}`,
      tradeNo: outTradeNo,
      minor: amount.refund,
      notifyUrl,
      at: now(),
      status: slow ? 'PROCESSING' : 'SUCCESS',
    }
    book.refunds.set(outRefundNo, refund)
    trade.state = 'REFUND'
    mails.queue(notifyUrl, () => made(aboutRefund(refund)))
    return [200, { ...refundFact(refund), status: 'PROCESSING' }]
  }

  return {
    name: 'wechat-pay',
    payer: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
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
      if (!silent) mails.queue(trade.notifyUrl, () => made(aboutTrade(tradeNo)))
    },
    decline: (tradeNo) => {
      book.trades.get(tradeNo)!.state = 'PAYERROR'
    },
    turnRefund: (refundNo, state) => {
      const refund = book.refunds.get(refundNo)!
      const names: Record<BookedRefund['state'], FakeWechatPayRefund['status']> = {
        pending: 'PROCESSING',
        succeeded: 'SUCCESS',
        stuck: 'ABNORMAL',
        failed: 'CLOSED',
      }
      refund.status = names[state]
      mails.queue(refund.notifyUrl, () => made(aboutRefund(refund)))
    },
    slowRefunds: (on) => {
      slow = on
    },
    notice: (tradeNo) => made(aboutTrade(tradeNo)),
    deliver: mails.deliver,
    forgeries: (tradeNo, other) => forgeWechatPayNotices({ keys, signer, apiV3Key, now: now() }, aboutTrade(tradeNo), aboutTrade(other)),
    vectors: (tradeNo) => buildWechatPayVectors({ keys, signer, apiV3Key, now: now() }, aboutTrade(tradeNo)),
    rotate: () => {
      signer = keys.signers[1]
      apiV3Key = keys.apiV3Keys[1]
    },
    close: () => http.close(),
  }
}
