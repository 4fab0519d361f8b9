import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { OpenApiCall } from '../../contract-requests.ts'
import { CallReceiptView } from './call-receipt.tsx'
import { OpenCallDetail } from './open-call.tsx'
import { RefusedCallDetail } from './refused-detail.tsx'
import { useCallDetail, useRefusedCall } from './use-requests.ts'

interface RequestDetailProps {
  readonly id: string
  /** Calls under way; undefined while they are not known. */
  readonly open: readonly OpenApiCall[] | undefined
  readonly ahead: number
}

/** The receipt of a call, what is known of one under way, or why it was refused. */
export function RequestDetail({ id, open, ahead }: RequestDetailProps) {
  if (id.startsWith('ref_')) return <RefusedRequestDetail id={id} />
  if (open === undefined) return <DetailSkeleton />
  const call = open.find((row) => row.id === id)
  return call ? <OpenCallDetail call={call} ahead={ahead} /> : <BilledCallDetail id={id} />
}

function BilledCallDetail({ id }: { readonly id: string }) {
  const call = useCallDetail(id)
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.refetch()} />
  return call.data ? <CallReceiptView call={call.data} /> : <DetailSkeleton />
}

function RefusedRequestDetail({ id }: { readonly id: string }) {
  const call = useRefusedCall(id)
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.refetch()} />
  return call.data ? <RefusedCallDetail call={call.data} /> : <DetailSkeleton />
}

function DetailSkeleton() {
  return (
    <div className="grid gap-3 p-5">
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-5 w-2/3" />
    </div>
  )
}
