import { CircleAlert } from 'lucide-react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from './button.tsx'
import { uiTexts } from './texts.ts'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly title: string
  readonly body?: ReactNode
  readonly action?: ReactNode
}

/** Says what will appear here and how: never a bare "no data". */
export function EmptyState({ title, body, action }: EmptyStateProps) {
  return (
    <div className="empty-state flex flex-col items-center px-6 py-14 text-center">
      <svg width="56" height="68" viewBox="0 0 56 68" fill="none" stroke="currentColor" strokeWidth="1.5" className="text-control" aria-hidden="true">
        <path d="M1 1h54v62q-3.4-4-6.75 0t-6.75 0t-6.75 0t-6.75 0t-6.75 0t-6.75 0t-6.75 0t-6.75 0z" />
        <path d="M12 16h16M40 16h4M12 27h12M40 27h4" strokeLinecap="round" />
        <path d="M12 40h32" strokeDasharray="2 4" />
        <path d="M12 50h10M38 50h6" strokeLinecap="round" strokeWidth="2.5" />
      </svg>
      <p className="mt-5 font-semibold">{title}</p>
      {body ? <p className="mt-1 max-w-md text-14 text-balance text-fg-2">{body}</p> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-3">{action}</div> : null}
    </div>
  )
}

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
  readonly title?: string
}

/** Replaces the content: the problem, a retry, and the request id for support. */
export function ErrorState({ error, onRetry, title }: ErrorStateProps) {
  const t = useTexts(uiTexts)
  const known = isApiError(error)
  return (
    <div role="alert" className="flex flex-wrap items-start gap-3 rounded-card border border-line bg-surface p-5">
      <CircleAlert size={20} strokeWidth={1.75} className="mt-0.5 shrink-0 text-danger" aria-hidden="true" />
      <div className="min-w-0 flex-[1_1_180px] text-14">
        <p className="font-semibold">{title ?? t('failedTitle')}</p>
        {known ? <p className="text-fg-2">{error.message}</p> : null}
        {known && error.requestId ? <p className="num mt-1 text-12 whitespace-normal text-fg-3">{t('requestId', { id: error.requestId })}</p> : null}
      </div>
      {onRetry ? (
        <Button variant="secondary" size="sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      ) : null}
    </div>
  )
}
