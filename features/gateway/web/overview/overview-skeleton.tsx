import { useTexts } from '#platform/web/i18n.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'
import { SpendChartFrame } from './spend-chart-frame.tsx'

/** Skeleton of the overview: its title, its four figures and the chart's frame, in their final positions. */
export function OverviewSkeleton({ titleId }: { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 id={titleId} className="text-20 font-bold">
        {t('tab_view')}
      </h1>
      <div className="card sum-grid grid" aria-hidden="true">
        {[0, 1, 2, 3].map((at) => (
          <div key={at} className={`p-5 mobile:p-4 ${at ? 'sum-term' : ''}`}>
            <Skeleton className="h-4 w-20" />
            <Skeleton className="mt-2 h-7 w-32 max-w-full" />
            <Skeleton className="mt-3 h-4 w-40 max-w-full" />
          </div>
        ))}
      </div>
      <SpendChartFrame />
    </div>
  )
}
