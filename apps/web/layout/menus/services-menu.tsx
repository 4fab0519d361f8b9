import { ChevronDown } from 'lucide-react'
import { Suspense } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { shellTexts } from '../../texts.ts'
import { DropPanel } from './drop-panel.tsx'
import { loadMenus } from './load-menus.ts'

const ServicesPanel = lazyExtra(() => loadMenus().then((m) => m.ServicesPanel))

/** All services by zone; grows by a column with each zone. */
export function ServicesMenu({ buttonClass }: { readonly buttonClass: string }) {
  const t = useTexts(shellTexts)
  return (
    <DropPanel
      buttonClass={`${buttonClass} group gap-1`}
      across
      panelClass="inset-x-4 mx-auto max-h-[calc(100dvh-76px)] max-w-[1168px] overflow-y-auto p-2"
      button={
        <>
          {t('navServices')}
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" className="transition-transform duration-160 group-aria-expanded:rotate-180" />
        </>
      }
    >
      <Suspense>
        <ServicesPanel />
      </Suspense>
    </DropPanel>
  )
}
