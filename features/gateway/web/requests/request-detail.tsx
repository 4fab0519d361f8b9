import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { CallReceipt } from './call-receipt.tsx'
import { RefusedCall } from './refused-detail.tsx'
import { useCall, useRefused } from './use-requests.ts'

/** The receipt of a call, or why it was refused. */
export function RequestDetail({ id }: { readonly id: string }) {
  return id.startsWith('ref_') ? <Refused id={id} /> : <Billed id={id} />
}

function Billed({ id }: { readonly id: string }) {
  const call = useCall(id)
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.refetch()} />
  return call.data ? <CallReceipt call={call.data} /> : <Coming />
}

function Refused({ id }: { readonly id: string }) {
  const call = useRefused(id)
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.refetch()} />
  return call.data ? <RefusedCall call={call.data} /> : <Coming />
}

function Coming() {
  return (
    <div className="grid gap-3 p-5">
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-5 w-2/3" />
    </div>
  )
}
