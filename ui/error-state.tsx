import { CircleAlert } from 'lucide-react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from './button.tsx'
import { uiTexts } from './texts.ts'

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
