import { paymentErrors } from '#features/payments/errors.ts'
import { paymentsContract } from '#features/payments/contract.ts'
import { type ChannelRow } from '#features/payments/contract-shapes.ts'
import { ordersContract } from '#features/payments/contract-orders.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { createApi } from '#platform/web/calls/api.ts'

const api = createApi(paymentsContract, { alone: true, errors: paymentErrors, texts: paymentTexts })
const orders = createApi({ noticeRead: ordersContract.noticeRead }, { alone: true, errors: paymentErrors, texts: paymentTexts })
const API_RECHARGE = 10

export interface ChannelTrial {
  readonly name: string
  readonly outcome: string
  readonly ok: boolean
}

/** Creates the smallest order at every channel of both devices, fetches the payer's view, and cancels it. */
export async function testAllChannels(onTrial: (trial: ChannelTrial) => void): Promise<void> {
  for (const device of ['QRCODE', 'H5'] as const) {
    for (const row of await api.channelList({ orderType: API_RECHARGE, device })) onTrial(await tryChannel(row, device))
  }
}

async function tryChannel(row: ChannelRow, device: 'QRCODE' | 'H5'): Promise<ChannelTrial> {
  const name = `${row.name} ${device}`
  if (row.disabled) return { name, outcome: 'disabled', ok: false }
  const way = { channelType: row.channelType, transactionType: row.transactionType, tradeFrom: row.tradeFrom }
  try {
    const { orderNo } = await api.createOrder({ orderType: API_RECHARGE, amount: row.min, ...way })
    await orders.noticeRead({ orderNo })
    const { form } = await api.payParam({ order_id: orderNo, ...way })
    await api.cancelOrder({ orderNo })
    return { name, outcome: form, ok: true }
  } catch (error) {
    return { name, outcome: error instanceof Error ? error.message : String(error), ok: false }
  }
}
