/** The fake's record of trades and refunds. */
export interface StoredWechatPayTrade {
  readonly tradeNo: string
  readonly kind: 'native' | 'h5'
  readonly content: string
  readonly total: number
  readonly notifyUrl: string
  state: 'NOTPAY' | 'SUCCESS' | 'REFUND' | 'CLOSED' | 'PAYERROR'
  paid?: { readonly txn: string; readonly minor: bigint; readonly currency: string; readonly at: Date }
}
export interface StoredWechatPayRefund {
  readonly refundNo: string
  readonly refundId: string
  readonly tradeNo: string
  readonly minor: number
  readonly notifyUrl: string
  readonly at: Date
  status: 'SUCCESS' | 'PROCESSING' | 'ABNORMAL' | 'CLOSED'
}
export interface StoredWechatPayBook {
  readonly trades: Map<string, StoredWechatPayTrade>
  readonly refunds: Map<string, StoredWechatPayRefund>
}

const HEAD =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'

/** Writes a day's bill as the vendor does: a byte order mark, column names, cells prefixed by backticks, and two lines of totals. */
export function buildWechatPayBill(
  { trades, refunds }: StoredWechatPayBook,
  day: string,
  identity: { readonly appid: string; readonly mchid: string },
): string | undefined {
  const clock = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const yuan = (minor: bigint | number) => (Number(minor) / 100).toFixed(2)
  const row = (at: Date, trade: StoredWechatPayTrade, refund?: StoredWechatPayRefund) =>
    `\`${[
      clock(at),
      identity.appid,
      identity.mchid,
      '0',
      '',
      trade.paid!.txn,
      trade.tradeNo,
      'oUser',
      trade.kind === 'h5' ? 'MWEB' : 'NATIVE',
      refund ? 'REFUND' : 'SUCCESS',
      'OTHERS',
      trade.paid!.currency,
      yuan(trade.paid!.minor),
      '0.00',
      refund?.refundId ?? '0',
      refund?.refundNo ?? '0',
      yuan(refund?.minor ?? 0),
      '0.00',
      refund ? 'ORIGINAL' : '',
      refund ? 'SUCCESS' : '',
      '充值, 明细',
      '',
      refund ? (-(refund.minor * 0.006) / 100).toFixed(5) : ((Number(trade.paid!.minor) * 0.006) / 100).toFixed(5),
      '0.60%',
      yuan(refund ? 0 : trade.paid!.minor),
      yuan(refund?.minor ?? 0),
      '',
    ].join(',`')}`
  const lines = [
    ...[...trades.values()].filter(({ paid }) => paid && clock(paid.at).startsWith(day)).map((trade) => row(trade.paid!.at, trade)),
    ...[...refunds.values()]
      .filter(({ at, status }) => status === 'SUCCESS' && clock(at).startsWith(day))
      .map((refund) => row(refund.at, trades.get(refund.tradeNo)!, refund)),
  ]
  if (!lines.length) return undefined
  return `﻿${HEAD}\r\n${lines.join('\r\n')}\r\n总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\r\n\`${lines.length},\`0.00,\`0.00,\`0.00,\`0.00000,\`0.00,\`0.00\r\n`
}
