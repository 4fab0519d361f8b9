import { randomUUID } from 'node:crypto'
import type { RuleContent } from '../kit/field-rules.ts'
import type { AgreementControls, PaymentCompany, PayPage } from '../kit/payments.ts'
import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { createWebhookQueue } from '../kit/webhooks.ts'
import { createAlipayAgreements } from './agreements.ts'
import { forgeAlipayNotices, toAlipayWebhook, signAlipayFields, buildAlipayVectors } from './forgeries.ts'
import { findContentFault, findGatewayFault, readAlipayContent, readAlipayFields, refuseAlipayRequest, signAlipayReply } from './gateway.ts'
import type { AlipayResult } from './gateway.ts'
import { toGbk } from './gbk.ts'
import { APP_ID, createAlipayKeys, formatShanghai, SELLER_ID } from './keys.ts'
import { createAlipayOracle, PAGE_METHODS, SIGN_METHOD } from './oracle.ts'
import { ALIPAY_FIGURES, ALIPAY_NOTICE_SCHEDULE } from './rules.ts'
import { buildZip } from './zip.ts'

interface Trade {
  readonly outTradeNo: string
  readonly content: string
  readonly amount: string
  readonly subject: string
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
type Fields = Readonly<Record<string, string>>
/** Number of a trade that waits for its payer. */
const NO_TXN = '2026000000000000000000000000'
const fen = (yuan: string) => BigInt(Math.round(Number(yuan) * 100))
const yuan = (minor: bigint) => (Number(minor) / 100).toFixed(2)
const toOutTradeNo = (tradeNo: string) => tradeNo.replaceAll('-', '_')
const fromOutTradeNo = (outTradeNo: string) => outTradeNo.replaceAll('_', '-')

/** Alipay's gateway for payments and deductions. */
export async function startAlipay({
  now,
  desktop = 'form',
  mobile = 'redirect',
}: {
  now: () => Date
  desktop?: 'qr' | 'form' | 'redirect'
  mobile?: 'redirect' | 'form'
}): Promise<PaymentCompany & { readonly agreed: AgreementControls }> {
  const keys = createAlipayKeys()
  const trades = new Map<string, Trade>()
  const refunds = new Map<string, Refund>()
  let signer = keys.signers[0].privateKey
  let slow = false
  const mails = createWebhookQueue(now, ALIPAY_NOTICE_SCHEDULE.value, ({ body }) => body === 'success')
  const oracle = createAlipayOracle()
  const http = await startStandInServer((request) => handle(request), { oracle })
  const bare = (key: (typeof keys.signers)[number]) => (key.publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')
  const privateKey = (keys.app.privateKey.export({ type: 'pkcs8', format: 'der' }) as Buffer).toString('base64')

  function handle(request: StandInRequest): StandInReply {
    if (request.path === '/bill.zip') return { status: 200, body: billOf(request.query.get('day')!).subarray(request.fault === 'bad-signature' ? 40 : 0) }
    const fields = readAlipayFields(request)
    const { method = '' } = fields
    const isPage = PAGE_METHODS.includes(method)
    const content = readAlipayContent(fields)
    const fault = findGatewayFault(fields, { appId: APP_ID, publicKey: keys.app.publicKey }) ?? (content ? undefined : 'isv.invalid-parameter')
    if (fault) return isPage ? showPage(fault) : refuseAlipayRequest(fault)
    const broken = findContentFault({ method, fields, content: content! }, now())
    if (isPage) return showPage(broken ? `${broken.code} ${broken.message}` : openPage(method, fields, content!))
    const done = broken ? broken.code : answer(method, fields, content!)
    const unsure = ['isp.unknow-error', 'isp.service-busy', 'aop.unknow-error'][http.seen.length % 3]!
    return signAlipayReply(method, request.fault === 'error-code' ? unsure : done, request.fault === 'bad-signature' ? keys.stranger : signer)
  }

  function insert(fields: Fields, content: RuleContent, exists: boolean): Trade | string {
    const { out_trade_no: outTradeNo, total_amount: totalAmount, subject, seller_id: sellerId, time_expire: timeExpire } = content
    // Another account needs a contract of its own.
    if (sellerId !== undefined && sellerId !== SELLER_ID) return 'ACQ.INVALID_PARAMETER'
    const known = trades.get(outTradeNo)
    if (known?.paid) return 'ACQ.TRADE_HAS_SUCCESS'
    if (known?.state === 'TRADE_CLOSED') return 'ACQ.TRADE_HAS_CLOSE'
    const same = JSON.stringify([totalAmount, subject, timeExpire])
    if (known && known.content !== same) return 'ACQ.CONTEXT_INCONSISTENT'
    if (known) {
      known.exists ||= exists
      return known
    }
    const trade: Trade = { outTradeNo, content: same, amount: totalAmount, subject, notifyUrl: fields['notify_url']!, exists, state: 'WAIT_BUYER_PAY' }
    trades.set(outTradeNo, trade)
    return trade
  }

  const agreed = createAlipayAgreements({
    clock: () => formatShanghai(now()),
    tell: (url, fields) => tell(url, fields),
    sign: (fields) => sign(fields),
    ours: (number) => number.replace(/^(A\d{8})/, '$1-'),
    known: (outTradeNo) => trades.has(outTradeNo),
    trade: (fields, content, paid) => {
      const trade = insert(fields, content, true)
      if (typeof trade === 'string') return trade
      if (paid) pay(trade)
      return deductionOf(trade)
    },
  })

  function sign(fields: Fields) {
    oracle.checkSent(fields['notify_type']!, fields)
    return toAlipayWebhook(signAlipayFields(signer, fields))
  }
  /** A retry carries the same notice_id, signed again. */
  const tell = (url: string, fields: Fields) => mails.queue(url, () => sign(fields))

  function pay(trade: Trade, { minor, currency = 'CNY', silent = false }: { minor?: bigint; currency?: string; silent?: boolean } = {}): void {
    trade.exists = true
    trade.paid ??= {
      txn: `2026${randomUUID().replaceAll(/\D/g, '').padEnd(24, '0').slice(0, 24)}`,
      amount: minor === undefined ? trade.amount : yuan(minor),
      currency,
      at: new Date(Math.floor(now().getTime() / 1000) * 1000),
    }
    trade.state = 'TRADE_SUCCESS'
    if (!silent) tell(trade.notifyUrl, noticeFields(trade))
  }

  /** Opens the page in the payer's browser; undefined if it is the cashier. */
  function openPage(method: string, fields: Fields, content: RuleContent): string | undefined {
    if (method === SIGN_METHOD) return agreed.page(fields, content)
    const trade = insert(fields, content, true)
    return typeof trade === 'string' ? trade : undefined
  }

  const showPage = (refusal: string | undefined): StandInReply => ({
    status: 200,
    headers: { 'content-type': 'text/html;charset=utf-8' },
    body: `<html>${refusal ?? 'cashier'}</html>`,
  })

  function answer(method: string, fields: Fields, content: RuleContent): AlipayResult {
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
      return { out_trade_no: trade.outTradeNo, trade_no: NO_TXN }
    }
    if (method === 'alipay.trade.refund') return takeRefund(trade, content)
    if (method === 'alipay.trade.fastpay.refund.query') {
      const refund = refunds.get(content['out_request_no'])
      if (!refund || refund.outTradeNo !== trade.outTradeNo) return { out_trade_no: trade.outTradeNo }
      return {
        out_trade_no: trade.outTradeNo,
        trade_no: trade.paid!.txn,
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
    trade_no: trade.paid?.txn ?? NO_TXN,
    trade_status: trade.state,
    total_amount: trade.paid?.amount ?? trade.amount,
    buyer_logon_id: 'abc***@example.com',
    buyer_pay_amount: trade.paid?.amount ?? '0.00',
    invoice_amount: trade.paid?.amount ?? '0.00',
    point_amount: '0.00',
    receipt_amount: trade.paid?.amount ?? '0.00',
    ...(trade.paid ? { buyer_user_id: '2088101117955611' } : {}),
    ...(trade.paid ? { send_pay_date: formatShanghai(trade.paid.at), ...(trade.paid.currency === 'CNY' ? {} : { trans_currency: trade.paid.currency }) } : {}),
  })

  const deductionOf = (trade: Trade) => {
    const { trade_status: _, send_pay_date: paidAt, ...fact } = queryOf(trade)
    return paidAt ? { ...fact, gmt_payment: paidAt } : { ...fact, code: '10003', msg: 'order success pay inprocess' }
  }

  function takeRefund(trade: Trade, content: RuleContent): AlipayResult {
    const { refund_amount: refundAmount, out_request_no: outRequestNo } = content
    if (!trade.paid) return 'ACQ.TRADE_STATUS_ERROR'
    if (now().getTime() - trade.paid.at.getTime() > ALIPAY_FIGURES.refundDays.value * 86_400_000) return 'ACQ.TRADE_HAS_FINISHED'
    const done = (fund: 'Y' | 'N') => ({
      out_trade_no: trade.outTradeNo,
      trade_no: trade.paid!.txn,
      buyer_logon_id: 'abc***@example.com',
      buyer_user_id: '2088101117955611',
      fund_change: fund,
      refund_fee: yuan(sumOf(trade)),
    })
    const known = refunds.get(outRequestNo)
    if (known) return known.amount === refundAmount && known.outTradeNo === trade.outTradeNo ? done('N') : 'ACQ.DISCORDANT_REPEAT_REQUEST'
    if (sumOf(trade) + fen(refundAmount) > fen(trade.paid.amount)) return 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL'
    refunds.set(outRequestNo, {
      refundNo: outRequestNo,
      outTradeNo: trade.outTradeNo,
      amount: refundAmount,
      at: now(),
      state: slow ? 'pending' : 'succeeded',
    })
    if (sumOf(trade) === fen(trade.paid.amount)) trade.state = 'TRADE_CLOSED'
    tell(trade.notifyUrl, noticeFields(trade, outRequestNo))
    return done(slow ? 'N' : 'Y')
  }
  const sumOf = ({ outTradeNo }: Trade) =>
    [...refunds.values()].filter((refund) => refund.outTradeNo === outTradeNo).reduce((sum, refund) => sum + fen(refund.amount), 0n)

  const noticeFields = (trade: Trade, refundNo?: string): Fields => ({
    notify_time: formatShanghai(now()),
    notify_type: 'trade_status_sync',
    notify_id: `2026${randomUUID().replaceAll('-', '')}`,
    charset: 'utf-8',
    version: '1.0',
    app_id: APP_ID,
    auth_app_id: APP_ID,
    out_trade_no: trade.outTradeNo,
    trade_no: trade.paid?.txn ?? NO_TXN,
    trade_status: trade.state,
    total_amount: trade.paid?.amount ?? trade.amount,
    receipt_amount: trade.paid?.amount ?? trade.amount,
    seller_id: SELLER_ID,
    subject: trade.subject,
    ...(refundNo ? { out_biz_no: refundNo, refund_fee: yuan(sumOf(trade)), gmt_refund: formatShanghai(now()) } : {}),
  })

  function billOf(day: string): Buffer {
    const head =
      '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
    const row = (txn: string, no: string, kind: string, at: Date, amount: string, refundNo: string, fee: string) =>
      `${txn}\t,${no}\t,${kind}\t,明细 充值\t,${formatShanghai(at)},${formatShanghai(at)},,,,,*明(abc***@example.com)\t,${amount},${amount},0.00,0.00,0.00,0.00,0.00,,0.00,0.00,${refundNo}\t,${fee},0.00,`
    const paid = [...trades.values()].filter((trade) => trade.paid && formatShanghai(trade.paid.at).startsWith(day))
    const back = [...refunds.values()].filter(({ at }) => formatShanghai(at).startsWith(day))
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
    notice: (tradeNo) => sign(noticeFields(tradeOf(tradeNo))),
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
