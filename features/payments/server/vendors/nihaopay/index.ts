import { type ChannelVendor, defineChannelManifest, definePayMethod, type ChannelManifest } from '../port.ts'
import { nihaopayEnv, readNihaopayAccount, type NihaopayAccount } from './config.ts'
import { readNihaopayNotice } from './notices.ts'
import { queryNihaopayRefund, sendNihaopayRefund, openNihaopayTrade, queryNihaopayTrade } from './trades.ts'
import { fetchNihaopayStatement } from './statement.ts'
import { buildMethodTexts } from '../pay-method.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

const unionPay = definePayMethod('unionpay', { label: buildMethodTexts('method_unionpay'), anonymous: true, forms: { QRCODE: 'form', H5: 'form' } })
const alipayHk = definePayMethod('alipayHk', {
  anonymous: true,
  tipsBottom: buildMethodTexts('method_page_minutes'),
  forms: { QRCODE: 'redirect', H5: 'redirect' },
})

const buildNihaopayManifest = ({ methods }: NihaopayAccount): ChannelManifest =>
  defineChannelManifest('nihaopay', {
    currency: 'USD',
    limits: { min: '1' },
    methods: [...(methods.includes('unionpay') ? [unionPay] : []), ...(methods.includes('alipayhk') ? [alipayHk] : [])],
    reopens: 'new',
    supports: { refund: 'one-by-one', refundDays: 180, statement: 'payments' },
  })

const plainReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** NihaoPay, an aggregator: UnionPay and AlipayHK. docs/vendors/unionpay.md, docs/vendors/alipay-hk.md */
export const nihaopay: ChannelVendor = {
  name: 'nihaopay',
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { NIHAOPAY_BASE_URL: /^api\.nihaopay\.com$/ }),
  env: nihaopayEnv,
  connect: (config) => {
    const account = readNihaopayAccount(config)
    if (!account) return undefined
    return {
      manifest: buildNihaopayManifest(account),
      open: (tools, call) => openNihaopayTrade(account, tools, call),
      query: (tools, trade) => queryNihaopayTrade(account, tools, trade),
      // The API cannot close a trade: a page expires by itself.
      close: async (tools, trade) => ((await queryNihaopayTrade(account, tools, trade)).status === 'paid' ? 'paid' : 'open'),
      refund: (tools, call) => sendNihaopayRefund(account, tools, call),
      queryRefund: (tools, refund) => queryNihaopayRefund(account, tools, refund),
      readNotice: async (_tools, raw) => readNihaopayNotice(account, raw),
      acknowledge: (outcome) =>
        outcome === 'done' ? plainReply(200, 'ok') : outcome === 'retry' ? plainReply(503, 'later') : plainReply(400, 'bad signature'),
      statement: (tools, day) => fetchNihaopayStatement(account, tools, day),
    }
  },
}
