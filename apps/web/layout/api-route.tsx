import { lazy } from 'react'
import { ApiPage } from '#features/gateway/web/index.tsx'
import { loadAutoCard, loadRechargeRecord } from '#features/payments/web/index.tsx'

const Records = lazy(() => loadRechargeRecord().then((m) => ({ default: m.RechargeRecord })))
const Auto = lazy(() => loadAutoCard().then((m) => ({ default: m.AutoCard })))
const slots = { rechargeRecord: Records, autoRecharge: Auto }

/** /api is put together here, because features do not draw each other: the top-ups, by hand and automatic, belong to payments, the rest to the gateway. */
export function ApiRoute() {
  return <ApiPage slots={slots} />
}
