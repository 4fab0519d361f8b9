import type { ReactNode } from 'react'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

export function OwnSettingsRows({
  query,
  empty,
  children,
}: {
  readonly query: { readonly isPending: boolean; readonly error: unknown; refetch: () => unknown }
  readonly empty: string | undefined
  readonly children: ReactNode
}) {
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <SkeletonRows rows={2} />
  return empty ? <p className="py-2 text-fg-3">{empty}</p> : <ul className="divide-y divide-line">{children}</ul>
}

export function OwnSettingsRow({ head, note, action }: { readonly head: ReactNode; readonly note: ReactNode; readonly action: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{head}</p>
        <p className="truncate text-12 text-fg-3">{note}</p>
      </div>
      {action}
    </li>
  )
}
