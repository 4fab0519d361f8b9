import { RefreshCw, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { hasUnsaved } from '#platform/web/state/unsaved.ts'
import { Button } from '#ui/button.tsx'
import { layerTexts } from '../layer-texts.ts'
import { useNewVersion } from '../version-watch.ts'

/** Notices about the page itself, above the bottom tabs: they cause no layout shift. */
export function PageNoticeBars() {
  const t = useTexts(layerTexts)
  const online = useOnline()
  const waiting = useNewVersion((state) => state.waiting)
  return (
    <div id="bars" role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-2800 flex flex-col items-center gap-2 px-4 mobile:bottom-20">
      {online ? null : <Bar icon={<WifiOff size={16} strokeWidth={1.75} aria-hidden="true" className="mt-[3px] shrink-0 text-warning" />}>{t('offline')}</Bar>}
      {waiting ? (
        <Bar
          icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" className="mt-[3px] shrink-0 text-brand-text" />}
          actions={
            <>
              <Button size="sm" variant="ghost" onClick={() => useNewVersion.setState({ waiting: false })}>
                {t('later')}
              </Button>
              <Button size="sm" onClick={() => location.reload()}>
                {t('refresh')}
              </Button>
            </>
          }
        >
          {t('newVersion')}
          {hasUnsaved() ? <span className="block text-13 text-fg-2">{t('newVersionBody')}</span> : null}
        </Bar>
      ) : null}
    </div>
  )
}

function Bar({ icon, actions, children }: { readonly icon: ReactNode; readonly actions?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="popup pointer-events-auto flex max-w-[520px] flex-wrap items-center gap-x-4 gap-y-2 py-2 pr-2 pl-4 text-14">
      <div className="flex min-w-0 flex-[1_1_180px] items-start gap-2.5 py-1 pr-2">
        {icon}
        <p className="min-w-0">{children}</p>
      </div>
      {actions ? <div className="ml-auto flex gap-1">{actions}</div> : null}
    </div>
  )
}
