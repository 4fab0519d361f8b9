import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { OpenRow } from '../../contract-requests.ts'
import { CallReceipt } from './call-receipt.tsx'
import { OpenDetail } from './open-call.tsx'
import { RefusedCall } from './refused-detail.tsx'
import { useCall, useRefused } from './use-requests.ts'

interface RequestDetailProps {
  readonly id: string
  /** Calls under way; undefined while they are not known. */
  readonly open: readonly OpenRow[] | undefined
  readonly ahead: number
}

/** The receipt of a call, what is known of one under way, or why it was refused. */
export function RequestDetail({ id, open, ahead }: RequestDetailProps) {
  if (id.startsWith('ref_')) return <Refused id={id} />
  if (open === undefined) return <Coming />
  const call = open.find((row) => row.id === id)
  return call ? <OpenDetail call={call} ahead={ahead} /> : <Billed id={id} />
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
