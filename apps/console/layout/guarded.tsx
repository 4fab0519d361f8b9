import { Lock } from 'lucide-react'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { kitTexts, useSignedInOperator, useConsoleFormatter } from '#features/backoffice/console/index.tsx'

/** Shows a screen only to operators with its permission, and explains a missing one. The server checks it independently. */
export function Guarded({ permission, children }: { readonly permission: string | undefined; readonly children: ReactNode }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const { data, error, refetch } = useSignedInOperator()
  if (error && !data) return <div className="p-5">{isApiError(error) ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}</div>
  if (!data) return <SkeletonRows rows={12} />
  if (permission !== undefined && !data.permissions.includes(permission))
    return (
      <div className="flex flex-col items-center px-6 py-24 text-center">
        <Lock size={28} strokeWidth={1.5} className="text-fg-3" aria-hidden="true" />
        <h1 className="mt-4 text-16 font-semibold">{t('notAllowed')}</h1>
        <p className="mt-1 text-fg-2">{t('notAllowedBody', { permission: say.permission(permission) })}</p>
      </div>
    )
  return <Suspense fallback={<SkeletonRows rows={12} />}>{children}</Suspense>
}
