import { PayResultPage } from '#features/payments/web/index.tsx'
import { QueryProvider } from '#platform/web/query.tsx'

/** Outside the console: the payer may come back in a browser where nobody is signed in. */
export function PayResultRoute() {
  return (
    <QueryProvider>
      <PayResultPage />
    </QueryProvider>
  )
}
