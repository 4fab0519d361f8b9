import { type ChannelVendor, defineChannelManifest, definePayMethod, type ChannelManifest, type Channel, type ChannelTools } from '../port.ts'
import { listAlipayAgreedMethods, chargeAlipayAgreement, queryAlipayAgreement, revokeAlipayAgreement, signAlipayAgreement } from './agreements.ts'
import { fetchAlipayStatement } from './bill.ts'
import { alipayEnv, readAlipayAccount, type AlipayAccount } from './config.ts'
import { readAlipayNotice } from './notices.ts'
import { queryAlipayRefund, sendAlipayRefund, closeAlipayTrade, openAlipayTrade, queryAlipayTrade } from './trades.ts'
import { z } from 'zod'
import { parseMinor } from '#platform/shared/money.ts'
import { callAlipayGateway } from './client.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

/** alipay.data.bill.balance.query: balance of the merchant's account available for payout. https://opendocs.alipay.com/open/1aa8d8d4 */
const answer = z.object({ available_amount: z.string() })

async function fetchAlipayBalance(account: AlipayAccount, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const asked = await callAlipayGateway(account, tools, { method: 'alipay.data.bill.balance.query', bizContent: {} })
  if (!asked.ok) throw new Error(`Alipay does not tell the balance: ${asked.code}`)
  return [{ currency: 'CNY', minor: parseMinor(answer.parse(asked.data).available_amount) }]
}

const buildAlipayManifest = ({ desktop, mobile }: AlipayAccount): ChannelManifest =>
  defineChannelManifest('alipay', {
    currency: 'CNY',
    methods: [definePayMethod('alipay', { forms: { QRCODE: desktop, H5: mobile } })],
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 365, statement: true },
  })

const plainReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** Alipay: web page, mobile page and our own QR code, through the vendor's SDK. docs/vendors/alipay.md */
export const alipay: ChannelVendor = {
  name: 'alipay',
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { ALIPAY_GATEWAY: /^openapi\.alipay\.com$/ }),
  env: alipayEnv,
  connect: (config) => {
    const account = readAlipayAccount(config)
    if (!account) return undefined
    return {
      manifest: buildAlipayManifest(account),
      ...(account.withholding
        ? {
            agreements: {
              methods: listAlipayAgreedMethods(account),
              sign: async (tools, call) => signAlipayAgreement(account, tools, call),
              lookUp: (tools, ref) => queryAlipayAgreement(account, tools, ref),
              charge: (tools, call) => chargeAlipayAgreement(account, tools, call),
              revoke: (tools, ref) => revokeAlipayAgreement(account, tools, ref),
            },
          }
        : {}),
      open: (tools, call) => openAlipayTrade(account, tools, call),
      query: (tools, trade) => queryAlipayTrade(account, tools, trade),
      close: (tools, trade) => closeAlipayTrade(account, tools, trade),
      refund: (tools, call) => sendAlipayRefund(account, tools, call),
      queryRefund: (tools, refund) => queryAlipayRefund(account, tools, refund),
      readNotice: async (_tools, raw) => readAlipayNotice(account, raw),
      // Exactly these seven bytes end the retries; any other reply requests another notice.
      acknowledge: (outcome) => (outcome === 'done' ? plainReply(200, 'success') : plainReply(outcome === 'retry' ? 503 : 400, 'fail')),
      balance: (tools) => fetchAlipayBalance(account, tools),
      statement: (tools, day) => fetchAlipayStatement(account, tools, day),
    }
  },
}
