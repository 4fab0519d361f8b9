import { useTexts } from '#platform/web/i18n.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'

/** Placeholder of the chart, of the same height, while its figures and its code load. */
export function SpendChartFrame() {
  const t = useTexts(gatewayTexts)
  return (
    <div className="card p-5 mobile:p-4">
      <div className="mb-2 min-h-9 mobile:min-h-[87px] [[data-script=latin]_&]:mobile:min-h-[107px]">
        <h2 className="text-16 font-semibold">{t('chartTitle')}</h2>
      </div>
      <Skeleton className="h-[264px] w-full mobile:h-[156px]" />
      <div className="mt-3 h-5" />
    </div>
  )
}
