import { useTexts } from '#platform/web/i18n.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { cardTexts } from '../../texts.ts'

/** The page before its card is known, in its own measures. */
export function CardSkeleton() {
  const t = useTexts(cardTexts)
  return (
    <div role="status" className="grid gap-6 min-[1300px]:grid-cols-[424px_minmax(0,1fr)] min-[1300px]:gap-10">
      <span className="sr-only">{t('loadingCard')}</span>
      <Skeleton className="aspect-[1.586] w-full !rounded-dialog" />
      <div className="grid content-start gap-4">
        <Skeleton className="h-20 w-56" />
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    </div>
  )
}
