import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import type { SandboxPanel } from '../port.ts'
import type { clientOf } from './client.ts'
import { LOAD_MAGIC, PURCHASE_MAGIC } from './issuer/magic-inputs.ts'

export const SHOP_PATH = '/sandbox/shop'
const magic = (inputs: Readonly<Record<string, string>>) =>
  Object.entries(inputs)
    .map(([cents, name]) => `.${cents} ${name}`)
    .join(', ')

/** Sandbox panel of the company in the control room, with a link to its shop. */
export async function panelOf(client: ReturnType<typeof clientOf>): Promise<SandboxPanel> {
  const shop = { text: '去商店用卡付款 Pay in the shop', href: SHOP_PATH }
  const frame = {
    title: '卡 Cards',
    about: `发卡行自己的账：去商店刷卡、退款、拨快时间。 The issuer's own book; the shop is where cards are spent. 充值金额的两位小数 Cents of a recharge: ${magic(LOAD_MAGIC)}. 消费金额的两位小数 Cents of a purchase: ${magic(PURCHASE_MAGIC)}.`,
    columns: ['卡 Card', '有效期 Expires', '状态 State', '发卡行余额 Balance there', '商店 Shop'],
  }
  const found = await client.standing().catch(() => undefined)
  if (!found) return { ...frame, rows: [['发卡行没有回应 The issuer does not answer', '', '', '', '']] }
  return {
    ...frame,
    rows: [
      [`发卡行时间 Issuer's time ${toShanghaiTime(found.now)}`, '', found.sound ? '账平 Balanced' : '账不平 NOT BALANCED', '', shop],
      ...found.cards.map(({ bin, last4, expMonth, expYear, state, balance }) => [
        `${bin.slice(0, 4)} ${bin.slice(4)}•• •••• ${last4}`,
        `${String(expMonth).padStart(2, '0')}/${expYear}`,
        state,
        `$${formatMinor(BigInt(balance))}`,
        shop,
      ]),
    ],
  }
}
