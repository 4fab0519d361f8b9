import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from './texts.ts'

/** A grey placeholder of the content; appears after 200 ms, so that fast responses do not flicker. */
export function Skeleton({ className = 'h-4 w-full' }: { readonly className?: string }) {
  return <span className={`skeleton block ${className}`} aria-hidden="true" />
}

/** Placeholder rows of a table or list that is loading. */
export function SkeletonRows({ rows = 5 }: { readonly rows?: number }) {
  const t = useTexts(uiTexts)
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-12 items-center gap-6 px-4">
          <Skeleton className="h-3.5 flex-[2]" />
          <Skeleton className="h-3.5 flex-1" />
          <Skeleton className="h-3.5 flex-1" />
        </div>
      ))}
    </div>
  )
}
