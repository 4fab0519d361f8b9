import { lazy } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { loadCardsTile } from '#features/cards/web/index.tsx'
import { ApiPage } from '#features/gateway/web/index.tsx'
import { loadAutoCard, loadRechargeRecord } from '#features/payments/web/index.tsx'

const Records = lazy(() => loadRechargeRecord().then((m) => ({ default: m.RechargeRecord })))
const Auto = lazy(() => loadAutoCard().then((m) => ({ default: m.AutoCard })))
const Cards = lazyExtra(() => loadCardsTile().then((m) => m.CardsTile))
const slots = { rechargeRecord: Records, autoRecharge: Auto, cards: Cards }

/**
 * Composes /api here, because features do not render each other: the manual and automatic top-ups belong to payments, the card to cards,
 * the rest to the gateway.
 */
export function ApiRoute() {
  return <ApiPage slots={slots} />
}
