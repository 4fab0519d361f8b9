import { useTexts } from '#platform/web/i18n.ts'
import { NoteSkeleton, Stat, StatSkeleton } from '#ui/figures/stat.tsx'
import { gatewayTexts } from '../../texts.ts'
import { SpendChartFrame } from './spend-chart-frame.tsx'

/** The overview before its code is there: its title, its three figures and the chart's frame, where they will stand. */
export function OverviewShape({ titleId }: { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 id={titleId} className="text-20 font-bold">
        {t('tab_view')}
      </h1>
      <div className="grid gap-4 mobile:grid-cols-2 mobile:gap-3 desktop:grid-cols-[1.25fr_1fr_1fr]" aria-hidden="true">
        {(['balance', 'totalRecharged', 'totalConsumed'] as const).map((label, index) => (
          <Stat key={label} className={index ? '' : 'mobile:col-span-2'} label={t(label)} value={<StatSkeleton />} note={<NoteSkeleton />} />
        ))}
      </div>
      <SpendChartFrame />
    </div>
  )
}
