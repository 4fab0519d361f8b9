import { cloneElement, Suspense, useState, type ReactElement } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import type { MenuProps } from './menu.tsx'

const Menu = lazyExtra(() => import('./menu.tsx').then((m) => m.Menu))

interface LazyMenuProps extends Omit<MenuProps, 'trigger' | 'defaultOpen'> {
  readonly trigger: ReactElement<{ onClick?: () => void }>
}

/** For lists: rows render before the menu's code is loaded, and an early press is not lost. */
export function LazyMenu({ trigger, ...menu }: LazyMenuProps) {
  const [pressed, setPressed] = useState(false)
  return (
    <Suspense fallback={cloneElement(trigger, { onClick: () => setPressed(true) })}>
      <Menu trigger={trigger} defaultOpen={pressed} {...menu} />
    </Suspense>
  )
}
