import { lazy } from 'react'
import { ApiPage } from '#features/gateway/web/index.tsx'
import { loadRechargeRecord } from '#features/payments/web/index.tsx'

const Records = lazy(() => loadRechargeRecord().then((m) => ({ default: m.RechargeRecord })))
const slots = { rechargeRecord: Records }

/** /api is put together here, because features do not draw each other: the top-ups belong to payments, the rest to the gateway. */
export function ApiRoute() {
  return <ApiPage slots={slots} />
}
