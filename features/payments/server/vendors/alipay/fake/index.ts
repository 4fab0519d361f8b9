import { createWebhookQueue } from '#stand-ins/kit/webhooks.ts'
import { randomUUID } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import type { FakeAgreements, FakeChannel, PayPage } from '../../../testing/fake-channel.ts'
import { createFakeWithholdings } from './agreements.ts'
import { forgeAlipayNotices, toAlipayWebhook, signAlipayFields, buildAlipayVectors } from './forgeries.ts'
import { toGbk } from './gbk.ts'
import { APP_ID, isFromAlipayMerchant, createAlipayKeys, SELLER_ID, signAlipayText } from './keys.ts'
import { buildZip } from './zip.ts'

/** Seconds between retries, as documented by Alipay: 4 m, 10 m, 10 m, 1 h, 2 h, 6 h, 15 h. */
const SCHEDULE = [240, 600, 600, 3600, 7200, 21_600, 54_000]
const SIGN_METHOD = 'alipay.user.agreement.page.sign'
const PAGE_METHODS = ['alipay.trade.page.pay', 'alipay.trade.wap.pay', SIGN_METHOD]

interface Trade {
  readonly outTradeNo: string
  readonly content: string
  readonly amount: string
  readonly notifyUrl: string
  /** False until the QR code is scanned: Alipay creates the trade only then. */
  exists: boolean
  state: 'WAIT_BUYER_PAY' | 'TRADE_CLOSED' | 'TRADE_SUCCESS'
  paid?: { readonly txn: string; readonly amount: string; readonly currency: string; readonly at: Date }
}
interface Refund {
  readonly refundNo: string
  readonly outTradeNo: string
  readonly amount: string
  readonly at: Date
  state: 'succeeded' | 'pending'
}
type Fields = Record<string, string>
const fen = (yuan: string) => BigInt(Math.round(Number(yuan) * 100))
const yuan = (minor: bigint) => (Number(minor) / 100).toFixed(2)
const clock = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const toOutTradeNo = (tradeNo: string) => tradeNo.replaceAll('-', '_')
const fromOutTradeNo = (outTradeNo: string) => outTradeNo.replaceAll('_', '-')

/** Fake of Alipay's gateway, as far as we use it. */
export async function fakeAlipay({
  now,
  desktop = 'form',
  mobile = 'redirect',
}: {
  now: () => Date
  desktop?: 'qr' | 'form' | 'redirect'
  mobile?: 'redirect' | 'form'
}): Promise<FakeChannel & { readonly agreed: FakeAgreements }> {
  const keys = createAlipayKeys()
  const trades = new Map<string, Trade>()
  const refunds = new Map<string, Refund>()
  let signer = keys.signers[0].privateKey
  let slow = false
  const mails = createWebhookQueue(now, SCHEDULE, ({ body }) => body === 'success')
  const http = await startStandInServer((request) => handle(request))
  const bare = (key: (typeof keys.signers)[number]) => (key.publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')
  const privateKey = (keys.app.privateKey.export({ type: 'pkcs8', format: 'der' }) as Buffer).toString('base64')

  function handle(request: StandInRequest): StandInReply {
    if (request.path === '/bill.zip') return { status: 200, body: billOf(request.query.get('day')!).subarray(request.fault === 'bad-signature' ? 40 : 0) }
    const fields = Object.fromEntries([...request.query, ...(request.method === 'POST' ? new URLSearchParams(request.body) : [])])
    const method = fields['method'] ?? ''
    if (!isFromAlipayMerchant(keys, fields))
      return PAGE_METHODS.includes(method)
        ? { status: 200, body: '<html>ILLEGAL_SIGN</html>' }
        : { status: 200, body: JSON.stringify({ error_response: { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' } }) }
    const content = JSON.parse(fields['biz_content'] ?? '{}') as Record<string, any>
    if (PAGE_METHODS.includes(method)) return showPage(method, fields, content)
    const failed = (code: string) => ({ code: '40004', msg: 'Business Failed', sub_code: code, sub_msg: 'failed' })
    const done = answer(method, fields, content)
    const value =
      request.fault === 'error-code'
        ? { code: '20000', msg: 'Service Currently Unavailable', sub_code: ['isp.unknow-error', 'isp.service-busy', 'aop.unknow-error'][http.seen.length % 3] }
        : typeof done === 'string'
          ? failed(done)
          : { code: '10000', msg: 'Success', ...done }
    const text = JSON.stringify(value)
    const signature = signAlipayText(request.fault === 'bad-signature' ? keys.stranger : signer, text)
    return {
      status: 200,
      headers: { 'content-type': 'text/html;charset=utf-8' },
      body: `{"${method.replaceAll('.', '_')}_response":${text},"sign":"${signature}"}`,
    }
  }

  function insert(fields: Fields, content: Record<string, any>, exists: boolean): Trade | string {
    const { out_trade_no: outTradeNo, total_amount: totalAmount, subject, seller_id: sellerId, time_expire: timeExpire } = content
    if (
      !/^\w{1,64}$/.test(outTradeNo) ||
      !/^\d+\.\d\d$/.test(totalAmount) ||
      !subject ||
      sellerId !== SELLER_ID ||
      !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(timeExpire)
    )
      return 'ACQ.INVALID_PARAMETER'
    const known = trades.get(outTradeNo)
    if (known?.paid) return 'ACQ.TRADE_HAS_SUCCESS'
    if (known?.state === 'TRADE_CLOSED') return 'ACQ.TRADE_HAS_CLOSE'
    const same = JSON.stringify([totalAmount, subject, timeExpire])
    if (known && known.content !== same) return 'ACQ.CONTEXT_INCONSISTENT'
    if (known) {
      known.exists ||= exists
      return known
    }
    const trade: Trade = { outTradeNo, content: same, amount: totalAmount, notifyUrl: fields['notify_url']!, exists, state: 'WAIT_BUYER_PAY' }
    trades.set(outTradeNo, trade)
    return trade
  }

  const agreed = createFakeWithholdings({
    clock: () => clock(now()),
    queue: (url, make) => mails.queue(url, make),
    sent: (fields) => toAlipayWebhook(signAlipayFields(signer, fields)),
    ours: fromOutTradeNo,
    known: (outTradeNo) => trades.has(outTradeNo),
    trade: (fields, content, paid) => {
      const trade = insert(fields, content, true)
      if (typeof trade === 'string') return trade
      if (paid) pay(trade)
      return queryOf(trade)
    },
  })

  function pay(trade: Trade, { minor, currency = 'CNY', silent = false }: { minor?: bigint; currency?: string; silent?: boolean } = {}): void {
    trade.exists = true
    trade.paid ??= {
      txn: `2026${randomUUID().replaceAll(/\D/g, '').padEnd(24, '0').slice(0, 24)}`,
      amount: minor === undefined ? trade.amount : yuan(minor),
      currency,
      at: new Date(Math.floor(now().getTime() / 1000) * 1000),
    }
    trade.state = 'TRADE_SUCCESS'
    if (!silent) mails.queue(trade.notifyUrl, () => toAlipayWebhook(signAlipayFields(signer, noticeFields(trade))))
  }

  function showPage(method: string, fields: Fields, content: Record<string, any>): StandInReply {
    if (method === SIGN_METHOD) return { status: 200, body: agreed.page(fields, content) ? '<html>cashier</html>' : '<html>INVALID_PARAMETER</html>' }
    if (content['product_code'] !== (method === PAGE_METHODS[0] ? 'FAST_INSTANT_TRADE_PAY' : 'QUICK_WAP_WAY'))
      return { status: 200, body: '<html>ACQ.PRODUCT</html>' }
    const trade = insert(fields, content, true)
    return {
      status: 200,
      headers: { 'content-type': 'text/html;charset=utf-8' },
      body: typeof trade === 'string' ? `<html>${trade}</html>` : '<html>cashier</html>',
    }
  }

  function answer(method: string, fields: Fields, content: Record<string, any>): Record<string, unknown> | string {
    const about = agreed.answer(method, fields, content)
    if (about !== undefined) return about
    if (method === 'alipay.trade.precreate') {
      const made = insert(fields, content, false)
      return typeof made === 'string' ? made : { out_trade_no: made.outTradeNo, qr_code: `https://qr.alipay.com/${made.outTradeNo}` }
    }
    if (method === 'alipay.data.bill.balance.query') return { total_amount: '1200.50', available_amount: '1000.25', freeze_amount: '200.25' }
    if (method === 'alipay.data.dataservice.bill.downloadurl.query') return { bill_download_url: `${http.url}/bill.zip?day=${content['bill_date']}` }
    const trade = trades.get(content['out_trade_no'])
    if (!trade?.exists) return 'ACQ.TRADE_NOT_EXIST'
    if (method === 'alipay.trade.query') return queryOf(trade)
    if (method === 'alipay.trade.close') {
      if (trade.state !== 'WAIT_BUYER_PAY') return 'ACQ.REASON_TRADE_STATUS_INVALID'
      trade.state = 'TRADE_CLOSED'
      return { out_trade_no: trade.outTradeNo, trade_no: 'x' }
    }
    if (method === 'alipay.trade.refund') return takeRefund(trade, content)
    if (method === 'alipay.trade.fastpay.refund.query') {
      const refund = refunds.get(content['out_request_no'])
      if (!refund || refund.outTradeNo !== trade.outTradeNo) return { out_trade_no: trade.outTradeNo }
      return {
        out_trade_no: trade.outTradeNo,
        out_request_no: refund.refundNo,
        refund_amount: refund.amount,
        total_amount: trade.amount,
        ...(refund.state === 'succeeded' ? { refund_status: 'REFUND_SUCCESS' } : {}),
      }
    }
    return 'isv.invalid-method'
  }

  const queryOf = (trade: Trade) => ({
    out_trade_no: trade.outTradeNo,
    trade_no: trade.paid?.txn ?? '2026000000000000',
    trade_status: trade.state,
    total_amount: trade.paid?.amount ?? trade.amount,
    buyer_logon_id: 'abc***@example.com',
    ...(trade.paid ? { buyer_user_id: '2088101117955611' } : {}),
    ...(trade.paid ? { send_pay_date: clock(trade.paid.at), ...(trade.paid.currency === 'CNY' ? {} : { trans_currency: trade.paid.currency }) } : {}),
  })

  function takeRefund(trade: Trade, content: Record<string, any>): Record<string, unknown> | string {
    const { refund_amount: refundAmount, out_request_no: outRequestNo } = content
    if (!trade.paid) return 'ACQ.TRADE_STATUS_ERROR'
    const done = (fund: 'Y' | 'N') => ({ out_trade_no: trade.outTradeNo, trade_no: trade.paid!.txn, fund_change: fund, refund_fee: yuan(sumOf(trade)) })
    const known = refunds.get(outRequestNo)
    if (known) return known.amount === refundAmount && known.outTradeNo === trade.outTradeNo ? done('N') : 'ACQ.DISCORDANT_REPEAT_REQUEST'
    if (fen(refundAmount) <= 0n || sumOf(trade) + fen(refundAmount) > fen(trade.paid.amount)) return 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL'
    refunds.set(outRequestNo, {
      refundNo: outRequestNo,
      outTradeNo: trade.outTradeNo,
      amount: refundAmount,
      at: now(),
      state: slow ? 'pending' : 'succeeded',
    })
    if (sumOf(trade) === fen(trade.paid.amount)) trade.state = 'TRADE_CLOSED'
    mails.queue(trade.notifyUrl, () => toAlipayWebhook(signAlipayFields(signer, noticeFields(trade, outRequestNo))))
    return done(slow ? 'N' : 'Y')
  }
  const sumOf = ({ outTradeNo }: Trade) =>
    [...refunds.values()].filter((refund) => refund.outTradeNo === outTradeNo).reduce((sum, refund) => sum + fen(refund.amount), 0n)

  const noticeFields = (trade: Trade, refundNo?: string): Fields => ({
    notify_time: clock(now()),
    notify_type: 'trade_status_sync',
    notify_id: randomUUID().replaceAll('-', ''),
    charset: 'utf-8',
    version: '1.0',
    app_id: APP_ID,
    auth_app_id: APP_ID,
    out_trade_no: trade.outTradeNo,
    trade_no: trade.paid?.txn ?? '2026000000000000',
    trade_status: trade.state,
    total_amount: trade.paid?.amount ?? trade.amount,
    receipt_amount: trade.paid?.amount ?? trade.amount,
    seller_id: SELLER_ID,
    subject: 'Mingxi 20 USD',
    ...(refundNo ? { out_biz_no: refundNo, refund_fee: yuan(sumOf(trade)), gmt_refund: clock(now()) } : {}),
  })

  function billOf(day: string): Buffer {
    const head =
      '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
    const row = (txn: string, no: string, kind: string, at: Date, amount: string, refundNo: string, fee: string) =>
      `${txn}\t,${no}\t,${kind}\t,明细 充值\t,${clock(at)},${clock(at)},,,,,*明(abc***@example.com)\t,${amount},${amount},0.00,0.00,0.00,0.00,0.00,,0.00,0.00,${refundNo}\t,${fee},0.00,`
    const paid = [...trades.values()].filter((trade) => trade.paid && clock(trade.paid.at).startsWith(day))
    const back = [...refunds.values()].filter(({ at }) => clock(at).startsWith(day))
    const rows = [
      ...paid.map(({ paid: payment, outTradeNo }) =>
        row(payment!.txn, outTradeNo, '交易', payment!.at, payment!.amount, '', `-${yuan((fen(payment!.amount) * 6n) / 1000n)}`),
      ),
      ...back.map((refund) =>
        row(trades.get(refund.outTradeNo)!.paid!.txn, refund.outTradeNo, '退款', refund.at, `-${refund.amount}`, refund.refundNo, '0.00'),
      ),
    ]
    const text = `#支付宝业务明细查询\r\n#账号：[${SELLER_ID}]\r\n#-----业务明细列表----\r\n${head}\r\n${rows.join('\r\n')}\r\n#-----业务明细列表结束----\r\n`
    return buildZip([
      { name: toGbk(`${SELLER_ID}_业务明细(汇总).csv`), bytes: toGbk('#汇总\r\n') },
      { name: toGbk(`${SELLER_ID}_业务明细.csv`), bytes: toGbk(text) },
    ])
  }

  const tradeOf = (tradeNo: string) => trades.get(toOutTradeNo(tradeNo))!
  return {
    name: 'alipay',
    payer: '2088101117955611',
    agreed,
    env: {
      ALIPAY_APP_ID: APP_ID,
      ALIPAY_SELLER_ID: SELLER_ID,
      ALIPAY_PRIVATE_KEY: privateKey,
      ALIPAY_PUBLIC_KEYS: keys.signers.map(bare).join(','),
      ALIPAY_GATEWAY: `${http.url}/gateway.do`,
      ALIPAY_DESKTOP: desktop,
      ALIPAY_MOBILE: mobile,
      ALIPAY_AGREEMENT_PRODUCT: 'CYCLE_PAY_AUTH_P',
      ALIPAY_AGREEMENT_SCENE: 'INDUSTRY|DIGITAL_MEDIA',
    },
    http,
    secrets: [privateKey.slice(40, 100), privateKey.slice(300, 360), privateKey.slice(-100, -20)],
    trades: () => [...trades.keys()].map(fromOutTradeNo),
    payments: () =>
      [...trades.values()].flatMap(({ outTradeNo, paid }) =>
        paid ? [{ tradeNo: fromOutTradeNo(outTradeNo), txn: paid.txn, minor: fen(paid.amount), currency: paid.currency }] : [],
      ),
    refunds: () =>
      [...refunds.values()].map(({ refundNo, outTradeNo, amount, state }) => ({ refundNo, txn: trades.get(outTradeNo)!.paid!.txn, minor: fen(amount), state })),
    arrive: (page) => visit(page),
    pay: (tradeNo, how) => pay(tradeOf(tradeNo), how),
    decline: () => {},
    turnRefund: (refundNo, state) => {
      refunds.get(refundNo)!.state = state === 'succeeded' ? 'succeeded' : 'pending'
    },
    slowRefunds: (on) => {
      slow = on
    },
    notice: (tradeNo) => toAlipayWebhook(signAlipayFields(signer, noticeFields(tradeOf(tradeNo)))),
    deliver: mails.deliver,
    forgeries: (tradeNo, other) => forgeAlipayNotices(keys, signer, noticeFields(tradeOf(tradeNo)), noticeFields(tradeOf(other))),
    vectors: (tradeNo) => buildAlipayVectors(signer, () => noticeFields(tradeOf(tradeNo))),
    rotate: () => {
      signer = keys.signers[1].privateKey
    },
    close: () => http.close(),
  }
}

/** Acts as a browser: follows an address, or submits the hidden inputs of a form. */
async function visit({ form, payUrl, payHtml }: PayPage): Promise<void> {
  if (form === 'qr') return
  const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  const [, action = ''] = /<form [^>]*action="([^"]*)"/.exec(payHtml) ?? []
  const fields = [...payHtml.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]): [string, string] => [
    plain(name!),
    plain(value!),
  ])
  const reply = await (form === 'form' ? fetch(plain(action), { method: 'POST', body: new URLSearchParams(fields) }) : fetch(payUrl))
  const text = await reply.text()
  if (!text.includes('cashier')) throw new Error(`Alipay's page says ${text}`)
}
