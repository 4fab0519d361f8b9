import { useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { shellTexts } from '../../texts.ts'
import { loadMenus } from './load-menus.ts'

const MenuSheet = lazyExtra(() => loadMenus().then((m) => m.MenuSheet))

/** The phone's menu button; its sheet is loaded separately. */
export function MobileMenu() {
  const t = useTexts(shellTexts)
  const [open, setOpen] = useState(false)
  const { href } = useLocation()
  useEffect(() => setOpen(false), [href])
  return (
    <>
      <button type="button" className="icon-btn -mr-2.5" aria-label={t('menu')} title={t('menu')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {open ? (
        <Suspense>
          <MenuSheet onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
