import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import type { SandboxPanel } from '../port.ts'
import type { clientOf } from './client.ts'

export const SHOP_PATH = '/sandbox/shop'
const magic = (inputs: Readonly<Record<string, string>>) =>
  Object.entries(inputs)
    .map(([cents, name]) => `.${cents} ${name}`)
    .join(', ')

const ABOUT = "发卡行自己的账：去商店刷卡、退款、拨快时间。 The issuer's own book; the shop is where cards are spent."

/** Sandbox panel of the company in the control room, with a link to its shop. */
export async function panelOf(client: ReturnType<typeof clientOf>): Promise<SandboxPanel> {
  const shop = { text: '去商店用卡付款 Pay in the shop', href: SHOP_PATH }
  const frame = { title: '卡 Cards', about: ABOUT, columns: ['卡 Card', '有效期 Expires', '状态 State', '发卡行余额 Balance there', '商店 Shop'] }
  const found = await client.standing().catch(() => undefined)
  if (!found) return { ...frame, rows: [['发卡行没有回应 The issuer does not answer', '', '', '', '']] }
  const { loads, purchases } = found.magic
  return {
    ...frame,
    about: `${ABOUT} 充值金额的两位小数 Cents of a recharge: ${magic(loads)}. 消费金额的两位小数 Cents of a purchase: ${magic(purchases)}.`,
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
