import { RechargeDialog } from '#features/payments/web/index.tsx'
import { QueryProvider } from '#platform/web/query.tsx'

/** Dialogs are drawn beside the pages: they bring the query cache themselves. */
export function RechargeHost() {
  return (
    <QueryProvider>
      <RechargeDialog />
    </QueryProvider>
  )
}
