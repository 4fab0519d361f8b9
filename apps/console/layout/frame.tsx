import { Menu as MenuIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from '@tanstack/react-router'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { kitTexts, UndoBar } from '#features/backoffice/console/index.tsx'
import { Nav } from './nav.tsx'
import { ServerStrip } from './server-strip.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'
import { OperatorTopBar } from './top-bar.tsx'

/** Ink at the left, one bar above, and the screen, which scrolls by itself. */
export function OperatorFrame({ children }: { readonly children: ReactNode }) {
  const t = useTexts(kitTexts)
  const mobile = useIsMobile()
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="flex h-dvh overflow-hidden">
      {mobile ? (
        isOpen ? (
          <div className="on-ink fixed inset-0 z-50 flex flex-col bg-ink">
            <div className="flex h-12 items-center justify-end px-2">
              <button type="button" aria-label={t('close')} title={t('close')} className="icon-btn" onClick={() => setOpen(false)}>
                <X size={20} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </div>
            <Nav />
          </div>
        ) : null
      ) : (
        <aside aria-label={t('appName')} className="on-ink flex w-[188px] shrink-0 flex-col bg-ink">
          <Nav />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <OperatorTopBar
          menu={
            mobile ? (
              <button type="button" aria-label={t('openNav')} title={t('openNav')} className="icon-btn" onClick={() => setOpen(true)}>
                <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
              </button>
            ) : null
          }
        />
        <ServerStrip />
        <main id="main" tabIndex={-1} className="min-h-0 flex-1 bg-bg">
          {children}
        </main>
        <UndoBar />
      </div>
      <ShortcutKeys />
    </div>
  )
}
