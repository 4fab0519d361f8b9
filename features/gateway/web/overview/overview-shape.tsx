import { useTexts } from '#platform/web/i18n.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'

/** The overview before its code is there: its title and its three figures, where they will stand. */
export function OverviewShape({ titleId }: { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 id={titleId} className="text-20 font-bold">
        {t('tab_view')}
      </h1>
      <div className="grid gap-4 mobile:grid-cols-2 mobile:gap-3 desktop:grid-cols-[1.25fr_1fr_1fr]" aria-hidden="true">
        {(['balance', 'totalRecharged', 'totalConsumed'] as const).map((label, index) => (
          <div key={label} className={`card p-5 mobile:p-4 ${index ? '' : 'mobile:col-span-2'}`}>
            <p className="text-13 text-fg-2">{t(label)}</p>
            <Skeleton className="my-1 h-7 w-32" />
          </div>
        ))}
      </div>
    </div>
  )
}
